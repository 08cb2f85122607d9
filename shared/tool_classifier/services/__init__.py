"""Calling registered services: the URL (`endpoint`), the HTTP call (`client`) and reading what comes back (`reply`)."""

from typing import Protocol

from tool_classifier.models import ServiceReply, ServiceRequest


class ServiceClient(Protocol):
    """Performs one call to a registered service."""

    async def call(self, request: ServiceRequest) -> ServiceReply:
        """Returns the usable part of the answer.

        Raises ServiceTimeoutError, ServiceStatusError, ServiceReplyError or ServiceCallError; never another type.
        """
        ...
