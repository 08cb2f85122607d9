"""Every error this package raises on purpose.

    ToolClassifierError
    ├── SettingsError                 settings_invalid
    ├── CatalogueError                catalogue_invalid
    │   └── CatalogueUnavailableError catalogue_unavailable
    ├── EmbeddingError                embedding_failed
    │   ├── EmbeddingUnavailableError embedding_unavailable
    │   └── EmbeddingDimensionError   embedding_dimension
    ├── ServiceIndexError             index_failed
    │   ├── IndexMissingError         index_missing
    │   ├── IndexMismatchError        index_mismatch
    │   ├── IndexLockedError          index_locked
    │   └── IndexUnavailableError     index_unavailable
    └── ServiceCallError              service_call_failed
        ├── ServiceEndpointError      service_endpoint_invalid
        ├── ServiceTimeoutError       service_timeout
        ├── ServiceStatusError        service_status
        └── ServiceReplyError         service_reply_unusable

`code` is stable: clients and scripts may rely on it. The message says what is wrong, `hint` says what to do about it.
"No match" is a result, not an error.
"""

from typing import ClassVar


class ToolClassifierError(Exception):
    """Base of the tree: a message (the cause), a `hint` (the cure) and a stable `code`."""

    code: ClassVar[str] = "tool_classifier_error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class SettingsError(ToolClassifierError):
    """An environment variable is missing or has a value that cannot be used; the message names it."""

    code = "settings_invalid"


class CatalogueError(ToolClassifierError):
    """A catalogue cannot be used. `problems` names source, service and field of every fault found."""

    code = "catalogue_invalid"

    def __init__(self, message: str, *, problems: tuple[str, ...] = (), hint: str = "") -> None:
        super().__init__("\n  - ".join((message, *problems)), hint=hint)
        self.problems = problems


class CatalogueUnavailableError(CatalogueError):
    """The catalogue's source did not answer (network, timeout, HTTP status)."""

    code = "catalogue_unavailable"


class EmbeddingError(ToolClassifierError):
    """A text could not be embedded."""

    code = "embedding_failed"


class EmbeddingUnavailableError(EmbeddingError):
    """The embedding model or endpoint cannot be reached or loaded."""

    code = "embedding_unavailable"


class EmbeddingDimensionError(EmbeddingError):
    """The endpoint returned vectors of another dimension than configured."""

    code = "embedding_dimension"


class ServiceIndexError(ToolClassifierError):
    """The service index cannot do what was asked."""

    code = "index_failed"


class IndexMissingError(ServiceIndexError):
    """Nothing has been published yet."""

    code = "index_missing"


class IndexMismatchError(ServiceIndexError):
    """The index was built with another embedder than the one that is configured; the message names both."""

    code = "index_mismatch"


class IndexLockedError(ServiceIndexError):
    """Another process is publishing to the same index."""

    code = "index_locked"


class IndexUnavailableError(ServiceIndexError):
    """The vector store cannot be reached or read."""

    code = "index_unavailable"


class ServiceCallError(ToolClassifierError):
    """Calling a registered service gave no usable answer; the next workflow takes over."""

    code = "service_call_failed"


class ServiceEndpointError(ServiceCallError):
    """No safe URL can be built from the service's name."""

    code = "service_endpoint_invalid"


class ServiceTimeoutError(ServiceCallError):
    """The service did not answer within the deadline."""

    code = "service_timeout"


class ServiceStatusError(ServiceCallError):
    """The service answered with a status other than 200."""

    code = "service_status"


class ServiceReplyError(ServiceCallError):
    """The service's body is too large, not JSON, or not of the agreed shape."""

    code = "service_reply_unusable"
