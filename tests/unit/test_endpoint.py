"""From a service's name to the URL it is called at."""

from urllib.parse import unquote, urlsplit

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tool_classifier.errors import ServiceEndpointError
from tool_classifier.services.endpoint import endpoint_url

BASE = "http://ruuter:8086"
ANY_TEXT = st.text(st.characters(codec=None, categories=None))


@pytest.mark.parametrize(
    ("name", "segment"),
    [
        ("currency", "currency"),
        ("a b", "a_b"),
        ("  a  b ", "a__b"),
        ("a\u200bb", "ab"),
        ("\u2060\u200b\u200c\u200d\ufeff\u00ad\u200e\u200fa", "a"),
        ("\u200b a \ufeff", "a"),
        ("a/b", "a%2Fb"),
        ("../../admin", "..%2F..%2Fadmin"),
        ("..\\admin", "..%5Cadmin"),
        ("a?x=1", "a%3Fx%3D1"),
        ("a#b", "a%23b"),
        ("a;b", "a%3Bb"),
        ("%2e%2e", "%252e%252e"),
        ("%2e%2e%2fadmin", "%252e%252e%252fadmin"),
        ("user@host", "user%40host"),
        ("//host", "%2F%2Fhost"),
        ("http://host/", "http%3A%2F%2Fhost%2F"),
        ("a\r\nHost: b", "a%0D%0AHost%3A_b"),
        ("Õhukvaliteet", "%C3%95hukvaliteet"),
        ("курс", "%D0%BA%D1%83%D1%80%D1%81"),
        ("🙂", "%F0%9F%99%82"),
        ("...", "..."),
        (". .", "._."),
    ],
)
def test_a_name_becomes_one_segment_under_the_base(name: str, segment: str) -> None:
    assert endpoint_url(BASE, name) == f"{BASE}/services/active/{segment}"


@pytest.mark.parametrize("name", ["", "  ", "\u200b", ".", "..", " .. ", ".\u200b.", "\u2060.", "\ud800"])
def test_a_name_that_gives_no_segment_is_refused(name: str) -> None:
    with pytest.raises(ServiceEndpointError) as caught:
        endpoint_url(BASE, name)
    assert repr(name) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://ruuter.example/", "https://ruuter.example/services/active/a"),
        (" http://ruuter:8086/v2// ", "http://ruuter:8086/v2/services/active/a"),
        ("http://[::1]:8086", "http://[::1]:8086/services/active/a"),
    ],
)
def test_the_base_keeps_its_path(base: str, url: str) -> None:
    assert endpoint_url(base, "a") == url


@pytest.mark.parametrize(
    "base",
    [
        "",
        "ruuter:8086",
        "ftp://ruuter",
        "http://",
        "/services",
        "http://r?x=1",
        "http://r#x",
        "http://r/#",
        "http://r/?",
        "http://r?#",
        "http://r/?/",
        " http://r/# ",
        "http://[::1",
        "http://r:70000",
        "http://r:x",
    ],
)
def test_a_base_that_is_no_http_address_is_refused_without_being_quoted(base: str) -> None:
    with pytest.raises(ServiceEndpointError) as caught:
        endpoint_url(base, "a")
    assert "RUUTER_SERVICE_BASE_URL" in caught.value.hint


@given(ANY_TEXT)
@example("../../admin")
@example("%2e%2e/%2e%2e")
@example("\\..\\")
@example("\t..\n")
def test_no_name_leaves_its_segment_or_the_host(name: str) -> None:
    try:
        url = endpoint_url("http://ruuter:8086/base", name)
    except ServiceEndpointError:
        return
    prefix = "/base/services/active/"
    for path, host in (
        (urlsplit(url).path, urlsplit(url).netloc),
        (httpx.URL(url).raw_path.decode(), httpx.URL(url).netloc.decode()),
    ):
        assert host == "ruuter:8086"
        assert path.startswith(prefix)
        segment = path.removeprefix(prefix)
        assert "/" not in segment
        assert unquote(segment) not in ("", ".", "..")
    assert urlsplit(url).query == urlsplit(url).fragment == ""
