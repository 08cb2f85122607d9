"""Where services come from. Adapters: `file` (YAML or JSON) and `ruuter` (the registry's discovery endpoint)."""

from typing import Protocol

from tool_classifier.models import Service


class Catalogue(Protocol):
    """A source of service definitions."""

    @property
    def source(self) -> str:
        """A name for people: the file, or the registry's address."""
        ...

    async def services(self) -> tuple[Service, ...]:
        """Every service of the source, inactive ones too (`active` tells).

        Raises CatalogueError naming source, service and field of every fault; CatalogueUnavailableError when the
        source does not answer.
        """
        ...
