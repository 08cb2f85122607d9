"""A service's name -> the URL it is called at."""

from urllib.parse import quote, urlsplit

from tool_classifier.errors import ServiceEndpointError

_INVISIBLE = str.maketrans("", "", "\u2060\u200b\u200c\u200d\ufeff\u00ad\u200e\u200f")
_LEAVES_THE_PATH = ("", ".", "..")  # as a whole segment; clients and servers resolve it, percent-encoded or not


def endpoint_url(base_url: str, service_name: str) -> str:
    """Returns `{base_url}/services/active/{name}` with the name as one percent-encoded path segment.

    Invisible characters in the name are removed, it is trimmed, and spaces become `_`. Raises ServiceEndpointError for
    a base that is not an http(s) address and for a name that leaves no segment ("", ".", "..").
    """
    name = service_name.translate(_INVISIBLE).strip().replace(" ", "_")
    if name in _LEAVES_THE_PATH:
        raise ServiceEndpointError(
            f"the service name {service_name!r} gives no URL path segment", hint="Rename the service in the registry."
        )
    try:
        segment = quote(name, safe="")
    except UnicodeEncodeError as error:
        raise ServiceEndpointError(
            f"the service name {service_name!r} holds a lone surrogate", hint="Rename the service in the registry."
        ) from error
    return f"{_checked(base_url)}/services/active/{segment}"


def _checked(base_url: str) -> str:
    base = base_url.strip().rstrip("/")
    try:
        parts = urlsplit(base)
        address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        usable = address and not {"?", "#"}.intersection(base)  # an empty query or fragment swallows the path as well
    except ValueError:  # also from `port`, when it is out of range
        usable = False
    if not usable:
        raise ServiceEndpointError(
            "the base URL of services is not an http(s) address without query and fragment",
            hint="Correct RUUTER_SERVICE_BASE_URL or RUUTER_COMMON_SERVICE_BASE_URL.",
        )
    return base
