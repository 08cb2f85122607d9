import pytest

from tool_classifier.text.urls import without_credentials


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://user:s3cret@ruuter/a", "http://ruuter/a"),
        ("https://token@ruuter:8080", "https://ruuter:8080"),
        ("http://user:p@ss@ruuter/a@b?c=d@e", "http://ruuter/a@b?c=d@e"),
        ("http://ruuter/a@b", "http://ruuter/a@b"),
        ("no url at all", "no url at all"),
    ],
)
def test_credentials_are_left_out(url, shown):
    assert without_credentials(url) == shown
