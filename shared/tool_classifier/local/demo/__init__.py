"""Demo services: a stand-in for Ruuter whose services answer from bundled data and computation, without a network.

One module per subject, each with pure functions and an `answer` per service; `app` routes HTTP calls to them. The
catalogue beside this package describes the same services.
"""

from pathlib import Path


def bundled_catalogue_path() -> Path:
    """The catalogue file that describes the demo services."""
    return Path(__file__).parent.parent / "catalogue.yaml"
