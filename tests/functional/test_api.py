"""Every route of `tool-classifier serve` over real HTTP, with the real model and the demo services."""

import asyncio
import json
import shutil

import httpx
import pytest

from tool_classifier.local.server import serving
from tool_classifier.local.session import open_session
from tool_classifier.settings import ServiceCallSettings

ASK = {"chatId": "c1", "message": "How much is 100 EUR in USD?", "authorId": "u1"}


@pytest.fixture
def request_all(bundled_index, tmp_path):
    """Runs requests (method, path, body) against one served session; returns their responses."""
    folder = tmp_path / "index"
    shutil.copytree(bundled_index, folder)

    def run(*requests: tuple[str, str, object]) -> list[httpx.Response]:
        async def send() -> list[httpx.Response]:
            async with (
                open_session(ServiceCallSettings(index_dir=folder)) as session,
                serving(session.api()) as url,
                httpx.AsyncClient(timeout=30) as client,
            ):
                return [await client.request(method, url + path, json=body) for method, path, body in requests]

        return asyncio.run(send())

    return run


def test_classify_then_orchestrate_does_the_work_once(request_all):
    [classified] = request_all(("POST", "/classify", ASK))
    assert classified.json()["metadata"]["matched_service_id"] == "currency_conversion"
    body = ASK | {"classification": classified.json(), "explain": True}
    [answer] = request_all(("POST", "/orchestrate", body))
    assert answer.json()["workflow"] == "SERVICE"
    assert "USD" in answer.json()["content"]
    stages = [stage["name"] for stage in answer.json()["trace"]["stages"]]
    assert stages == ["detect intent", "call service"]


def test_the_buffered_and_the_streamed_answer_are_the_same(request_all):
    buffered, streamed = request_all(("POST", "/orchestrate", ASK), ("POST", "/orchestrate/stream", ASK))
    events = [json.loads(line[6:]) for line in streamed.text.splitlines() if line.startswith("data: ")]
    assert [event["payload"]["content"] for event in events] == [buffered.json()["content"], "END"]
    assert {event["chatId"] for event in events} == {"c1"}


def test_services_are_listed_and_indexing_again_changes_nothing(request_all):
    listed, report = request_all(("GET", "/services", None), ("POST", "/services/index", None))
    ids = [service["id"] for service in listed.json()]
    assert "currency_conversion" in ids
    assert ids == sorted(ids)
    assert "document_validity" not in ids  # inactive
    assert (report.json()["unchanged"], report.json()["texts_embedded"]) == (ids, 0)


def test_a_deleted_service_is_gone_at_once_and_back_with_the_next_run(request_all):
    gone, again, asked, planned, indexed, listed = request_all(
        ("DELETE", "/services/currency_conversion", None),
        ("DELETE", "/services/currency_conversion", None),
        ("POST", "/orchestrate", ASK),
        ("POST", "/services/index", {"dryRun": True}),
        ("POST", "/services/index", None),
        ("GET", "/services", None),
    )
    assert gone.status_code == 204
    assert (again.status_code, again.json()["code"]) == (404, "service_unknown")
    assert "USD" not in asked.json()["content"]
    assert (planned.json()["added"], planned.json()["dry_run"]) == (["currency_conversion"], True)
    assert indexed.json()["added"] == ["currency_conversion"]
    assert "currency_conversion" in [service["id"] for service in listed.json()]


def test_an_unknown_field_is_refused_rather_than_a_real_run_started(request_all):
    [response] = request_all(("POST", "/services/index", {"dryrun": True}))
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "dryrun")


def test_health_is_liveness_and_deep_health_looks_at_every_part(request_all):
    alive, deep = request_all(("GET", "/health", None), ("GET", "/health?deep=1", None))
    assert (alive.status_code, alive.json()["ok"], alive.json()["checks"]) == (200, True, None)
    assert deep.status_code == 200
    assert {check["name"]: check["ok"] for check in deep.json()["checks"]} == {
        "index": True,
        "model": True,
        "registry": True,
    }


def test_deep_health_tells_what_is_not_right(tmp_path):
    async def run() -> httpx.Response:
        settings = ServiceCallSettings(index_dir=tmp_path / "none", catalogue_file=tmp_path / "none.yaml")
        async with (
            open_session(settings) as session,
            serving(session.api()) as url,
            httpx.AsyncClient() as client,
        ):
            return await client.get(f"{url}/health?deep=1")

    response = asyncio.run(run())
    assert response.status_code == 503
    assert {check["name"]: check["ok"] for check in response.json()["checks"]} == {
        "index": False,
        "model": True,
        "registry": False,
    }
