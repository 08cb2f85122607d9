"""URLs as they may be shown: in traces, messages and logs."""

import re

_CREDENTIALS = re.compile(r"(?<=://)[^/?#]*@")


def without_credentials(url: str) -> str:
    """The URL without `user:password@`, of any text."""
    return _CREDENTIALS.sub("", url)
