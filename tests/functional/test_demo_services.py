"""The demo services over real HTTP: values computed by every service, and the manners of the endpoint."""

import asyncio
import json
import queue
from contextlib import contextmanager
from datetime import date
from threading import Thread
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tool_classifier.errors import CatalogueError
from tool_classifier.index.catalogue.file import read_services
from tool_classifier.intent.entity_types import infer_type
from tool_classifier.local.demo import bundled_catalogue_path
from tool_classifier.local.demo.app import ANSWERS, demo_app
from tool_classifier.local.demo.exchange import Inputs
from tool_classifier.local.server import serving
from tool_classifier.models import HttpMethod

TODAY = date(2026, 12, 2)
SERVICES = {service.id: service for service in read_services(bundled_catalogue_path(), infer_type=infer_type)}


@contextmanager
def running(app):
    """Serves an app from a thread of its own; yields a client that calls it."""
    ready, stopping = queue.Queue(), asyncio.Event()

    async def serve():
        async with serving(app) as url:
            ready.put((asyncio.get_running_loop(), url))
            await stopping.wait()

    thread = Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    loop, url = ready.get(timeout=10)
    try:
        with httpx.Client(base_url=url) as client:
            yield client
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join()


@pytest.fixture(scope="module")
def demo():
    with running(demo_app(today=lambda: TODAY)) as client:
        yield client


def call(service_id, *inputs):
    """The arguments of one request, as the caller of registered services sends it."""
    service = SERVICES[service_id]
    path = f"/services/active/{quote(service.name.replace(' ', '_'), safe='')}"
    sent = {"chatId": "chat", "authorId": "author", "input": list(inputs)}
    options = {"params": sent} if service.method is HttpMethod.GET else {"json": sent}
    return {"method": service.method, "url": path, **options}


def item(response):
    assert response.status_code == 200
    (only,) = response.json()["response"]
    return only


# ------------------------------------------------------------------------------------- computed values by service

VALUES = {
    "currency_conversion": [
        (("1", "EUR", "THB"), "1 EUR = 37.68 THB (EKP kurss 2026-10-30)"),
        (("100", "EUR", "USD"), "100 EUR = 111.72 USD (EKP kurss 2026-10-30)"),
        (("50", "USD", ""), "50 USD = 44.75 EUR (EKP kurss 2026-10-30)"),
    ],
    "weather": [
        (("Tallinn", ""), "Tallinnas on 2. detsembril 2026 keskmiselt 0 °C, detsembris sajab keskmiselt 60 mm."),
        (("Võru", "2027-07-15"), "Võrus on 15. juulil 2027 keskmiselt 18 °C, juulis sajab keskmiselt 75 mm."),
    ],
    "public_holidays": [
        (("",), "Järgmine riigipüha on 24. detsember 2026, jõululaupäev."),
        (("2027",), "26.03 suur reede; 28.03 ülestõusmispühade 1. püha;"),
    ],
    "electricity_price": [
        (("2026-12-02",), "2. detsember 2026: odavaimad tunnid on 02–03 (4.66 s/kWh), 03–04 (4.89 s/kWh), 01–02"),
        (("2026-12-03",), "kalleimad 19–20 (20.86 s/kWh), 17–18 (16.45 s/kWh), 20–21 (16.03 s/kWh)"),
    ],
    "population": [
        (("Narva",), "Narvas elab umbes 52500 inimest"),
        (("Jõgeval",), "Jõgeval elab umbes 4900 inimest"),
    ],
    "school_holidays": [
        ((), "Tulevad koolivaheajad: jõuluvaheaeg 21. detsember 2026 – 3. jaanuar 2027;"),
        ((), "suvevaheaeg 9. juuni 2027 – 31. august 2027."),
    ],
    "company_lookup": [
        (("10421629",), "Registrikood 10421629: Eesti Energia AS (äriregistri ettevõte)."),
        (("70000310",), "Registrikood 70000310: Registrite ja Infosüsteemide Keskus"),
    ],
    "car_tax": [
        (("150", "1900"), "Automaks on 149 € aastas"),
        (("299", "2860"), "Automaks on 1064 € aastas"),
    ],
    "net_salary": [
        (("2000",), "Brutopalgast 2000 € jääb kätte 1657.84 €."),
        (("600",), "Brutopalgast 600 € jääb kätte 578.40 €."),
    ],
    "body_mass_index": [
        (("80", "180"), "Kehamassiindeks on 24.7: normaalkaal"),
        (("95", "1,75"), "Kehamassiindeks on 31: rasvumine"),
    ],
    "sunrise_sunset": [
        (("Tallinn", "2026-06-21"), "tõuseb päike 21. juunil 2026 kell 04:03 ja loojub kell 22:43"),
        (("Tallinn", "2026-12-21"), "tõuseb päike 21. detsembril 2026 kell 09:18 ja loojub kell 15:20"),
    ],
    "working_days": [
        (("2026-01-01", "2026-12-31"), ": 252 tööpäeva"),
        (("2026-12-21", "2026-12-31"), ": 7 tööpäeva"),
    ],
    "personal_code_check": [
        (("60001019906",), "Isikukood on õige: sünnikuupäev 1. jaanuar 2000, naine."),
        (("60001019907",), "See isikukood ei ole õige"),
    ],
    "distance": [
        (("Tallinn", "Tartu"), "Tallinn ja Tartu: linnulennult umbes 163 km"),
        (("Narva", "Kuressaare"), "Narva ja Kuressaare: linnulennult umbes 351 km"),
    ],
    "week_number": [
        (("",), "2. detsembril 2026 on 2026. aasta 49. nädal, kolmapäev."),
        (("2027-01-01",), "1. jaanuaril 2027 on 2026. aasta 53. nädal, reede."),
    ],
    "loan_payment": [
        (
            ("100000", "4", "30"),
            "kuumakse on 477.42 €, kokku makstakse tagasi 171869.51 €, sellest intressi 71869.51 €",
        ),
        (("12000", "0", "1"), "kuumakse on 1000 €, kokku makstakse tagasi 12000 €, sellest intressi 0 €"),
    ],
}


def test_every_active_service_has_an_answer_and_values_to_check():
    active = {service.id for service in SERVICES.values() if service.active}
    assert set(ANSWERS) == set(VALUES) == active
    assert len(active) == 16


@pytest.mark.parametrize("service_id", VALUES)
def test_a_service_computes(demo, service_id):
    for inputs, content in VALUES[service_id]:
        assert content in item(demo.request(**call(service_id, *inputs)))["content"]


@pytest.mark.parametrize("service_id", VALUES)
def test_a_service_without_inputs_answers_politely(demo, service_id):
    content = item(demo.request(**call(service_id)))["content"]
    required = service_id not in {"public_holidays", "school_holidays", "electricity_price", "week_number"}
    assert content.startswith("Vastamiseks on puudu: ") is required


# -------------------------------------------------------------------------------------------------- odd callers


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(
    service_id=st.sampled_from(sorted(ANSWERS)),
    values=st.lists(
        st.text(max_size=20)
        | st.from_regex(r"-?[0-9., ]{1,14}", fullmatch=True)
        | st.dates().map(str)
        | st.sampled_from(
            ["EUR", "USD", "$", "Tartu", "homme", "31. veebruar", "29.2", "2026-12", "0000-00", "9" * 50]
        ),
        max_size=4,
    ),
    today=st.dates(min_value=date(2000, 1, 1), max_value=date(2090, 1, 1)),
)
def test_any_input_gets_an_answer(service_id, values, today):
    assert ANSWERS[service_id](Inputs(values=tuple(values), today=today)).content


def test_values_that_are_no_text_are_read_as_text_or_as_missing(demo):
    path = call("net_salary")["url"]
    bodies = [{"input": [2000]}, {"input": [None]}, {"input": [True]}, {"input": [{"a": 1}]}, {"input": "2000"}, {}, []]
    contents = [item(demo.post(path, json=body))["content"] for body in bodies]
    assert contents[0].startswith("Brutopalgast 2000 € jääb kätte 1657.84 €.")
    assert set(contents[1:]) == {"Vastamiseks on puudu: brutopalk. Palun lisage see oma küsimusele."}


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000])
def test_a_body_that_is_not_json_is_refused(demo, body):
    response = demo.post(call("net_salary")["url"], content=body)
    assert (response.status_code, response.json()) == (400, {"error": "the body is not JSON"})


def test_a_service_called_with_the_other_method_is_refused(demo):
    refused_get = demo.get(call("net_salary")["url"])
    refused_post = demo.post(call("weather")["url"], json={})
    assert (refused_get.status_code, refused_get.headers["allow"]) == (405, "POST")
    assert (refused_post.status_code, refused_post.headers["allow"]) == (405, "GET")


@pytest.mark.parametrize("name", ["Tundmatu", "Dokumendi_kehtivus", "Ilm%2Fx", "Ilm/x", ""])
def test_unknown_and_inactive_services_are_not_found(demo, name):
    response = demo.get(f"/services/active/{name}")
    assert (response.status_code, response.json()) == (404, {"error": "no active service has this name"})


# ------------------------------------------------------------------------------------------ buttons and discovery


def test_buttons_are_absent_a_list_or_a_json_string(demo):
    calls = call("week_number"), call("electricity_price"), call("public_holidays", "2027")
    without, listed, as_string = (item(demo.request(**options)) for options in calls)
    assert list(without) == ["content"]
    assert listed["buttons"] == [
        {"title": "Täna", "payload": "Mis kell on elekter täna kõige odavam?"},
        {"title": "Homme", "payload": "Mis kell on elekter homme kõige odavam?"},
    ]
    assert json.loads(as_string["buttons"]) == [
        {"title": "2028. aasta riigipühad", "payload": "Loetle 2028. aasta riigipühad"}
    ]


def test_discovery_lists_every_service_and_active_ones_can_be_called_at_their_address(demo):
    entries = demo.get("/services/get-services").json()["response"]["services"]
    assert [entry["serviceId"] for entry in entries] == list(SERVICES)
    assert all(entry["ruuterUrl"].startswith(f"{demo.base_url}/services/active/") for entry in entries)
    states = [entry["state"] for entry in entries]
    assert states.count("inactive") == 1
    called = [demo.request(entry["ruuterType"], entry["ruuterUrl"], content=b"{}") for entry in entries]
    assert [response.status_code for response in called] == [200 if state == "active" else 404 for state in states]


def test_an_entry_of_discovery_has_the_registrys_fields(demo):
    entries = demo.get("/services/get-services")
    entry = next(e for e in entries.json()["response"]["services"] if e["serviceId"] == "public_holidays")
    assert entry.pop("ruuterUrl").endswith(f"/services/active/{quote('Riigipühad')}")
    assert entry == {
        "serviceId": "public_holidays",
        "name": "Riigipühad",
        "description": "Loetleb Eesti riigipühad ja rahvuspüha ning ütleb, millal on järgmine.",
        "ruuterType": "GET",
        "entities": [{"name": "year", "type": "number", "description": "Aasta"}],
        "examples": list(SERVICES["public_holidays"].examples),
        "isCommon": True,
        "state": "active",
    }


def test_today_is_a_real_day_when_none_is_given():
    with running(demo_app()) as client:
        assert "nädal, " in item(client.request(**call("week_number")))["content"]


def test_a_service_of_another_catalogue_is_listed_but_cannot_be_called(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text("- {id: own, name: Minu oma, method: GET, examples: [x]}")
    with running(demo_app(catalogue=path)) as client:
        listed, called = client.get("/services/get-services"), client.get("/services/active/Minu_oma")
    assert [entry["serviceId"] for entry in listed.json()["response"]["services"]] == ["own"]
    assert called.status_code == 404


def test_a_catalogue_that_cannot_be_used_is_reported_at_once(tmp_path):
    with pytest.raises(CatalogueError, match="No such file"):
        demo_app(catalogue=tmp_path / "none.yaml")
