"""The demo services over HTTP, in Ruuter's shapes: calls below /services/active, discovery at get-services."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from urllib.parse import quote
from zoneinfo import ZoneInfo

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tool_classifier.index.catalogue.file import read_services
from tool_classifier.intent.entity_types import infer_type
from tool_classifier.local.demo import (
    bundled_catalogue_path,
    currency,
    energy,
    geography,
    health,
    holidays,
    loans,
    registry,
    sun,
    taxes,
    weather,
)
from tool_classifier.local.demo.exchange import Answer, Inputs, Reply
from tool_classifier.models import HttpMethod, Service

ANSWERS: Mapping[str, Answer] = {
    "body_mass_index": health.answer,
    "car_tax": taxes.answer_car_tax,
    "company_lookup": registry.answer_company,
    "currency_conversion": currency.answer,
    "distance": geography.answer_distance,
    "electricity_price": energy.answer,
    "loan_payment": loans.answer,
    "net_salary": taxes.answer_net_salary,
    "personal_code_check": registry.answer_personal_code,
    "population": geography.answer_population,
    "public_holidays": holidays.answer_public_holidays,
    "school_holidays": holidays.answer_school_holidays,
    "sunrise_sunset": sun.answer,
    "weather": weather.answer,
    "week_number": holidays.answer_week_number,
    "working_days": holidays.answer_working_days,
}
"""What each service of the bundled catalogue does, by its id."""


def demo_app(*, catalogue: Path | None = None, today: Callable[[], date] | None = None) -> Starlette:
    """The app for a catalogue file, the bundled one by default.

    Discovery lists every service of the catalogue. Active ones can be called when ANSWERS has their id. `today`
    defaults to the date in Estonia. Raises CatalogueError when the catalogue cannot be used.
    """
    services = read_services(catalogue or bundled_catalogue_path(), infer_type=infer_type)
    demo = _Demo(services, today or _today_in_estonia)
    return Starlette(
        routes=[
            Route("/services/get-services", demo.discover, methods=["GET"]),
            Route("/services/active/{name:path}", demo.call, methods=["GET", "POST"], name="service"),
        ]
    )


class _Demo:
    def __init__(self, services: Sequence[Service], today: Callable[[], date]) -> None:
        self._services = services
        self._callable = {
            _segment(service): service for service in services if service.active and service.id in ANSWERS
        }
        self._today = today

    async def discover(self, request: Request) -> Response:
        listed = [_listed(service, request) for service in self._services]
        return JSONResponse({"response": {"services": listed}})

    async def call(self, request: Request) -> Response:
        service = self._callable.get(request.path_params["name"])
        if service is None:
            return JSONResponse({"error": "no active service has this name"}, status_code=404)
        if request.method != service.method:
            error = f"this service is called with {service.method}"
            return JSONResponse({"error": error}, status_code=405, headers={"Allow": service.method})
        try:
            values = await _values(request)
        except (ValueError, RecursionError):
            return JSONResponse({"error": "the body is not JSON"}, status_code=400)
        reply = ANSWERS[service.id](Inputs(values=values, today=self._today()))
        return JSONResponse({"response": [_shaped(reply)]})


def _segment(service: Service) -> str:
    """The last segment of a service's address, decoded; the catalogue has removed invisible characters."""
    return service.name.replace(" ", "_")


def _listed(service: Service, request: Request) -> dict[str, object]:
    return {
        "serviceId": service.id,
        "name": service.name,
        "description": service.description,
        "ruuterType": service.method,
        "ruuterUrl": str(request.url_for("service", name=quote(_segment(service), safe=""))),
        "entities": [
            {"name": entity.name, "type": entity.type, "description": entity.description} for entity in service.entities
        ],
        "examples": service.examples,
        "isCommon": service.is_common,
        "state": "active" if service.active else "inactive",
    }


async def _values(request: Request) -> tuple[str, ...]:
    """The entity values of a call. Raises ValueError or RecursionError when a body is not JSON."""
    if request.method == HttpMethod.GET:
        return tuple(value.strip() for value in request.query_params.getlist("input"))
    body = await request.json()
    values = body.get("input") if isinstance(body, dict) else None
    return tuple(_text(value) for value in values) if isinstance(values, list) else ()


def _text(value: object) -> str:
    """A value as text; what is neither text nor a number counts as missing."""
    usable = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value).strip() if usable else ""


def _shaped(reply: Reply) -> dict[str, object]:
    buttons = [{"title": button.title, "payload": button.payload} for button in reply.buttons]
    if not buttons:
        return {"content": reply.content}
    as_sent = json.dumps(buttons, ensure_ascii=False) if reply.buttons_as_string else buttons
    return {"content": reply.content, "buttons": as_sent}


def _today_in_estonia() -> date:
    return datetime.now(ZoneInfo("Europe/Tallinn")).date()
