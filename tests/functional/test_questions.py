"""Questions to the bundled catalogue, end to end: real model, real index, real HTTP to the demo services."""

import asyncio
import re

import pytest

from tool_classifier.local.session import open_session
from tool_classifier.models import Answer, Outcome, Trace
from tool_classifier.settings import ServiceCallSettings
from tool_classifier.text.query import read_query
from tool_classifier.workflows.replies import REPLIES

QUESTIONS = [
    (
        "Palju saan 1 EUR eest THBdes?",
        "currency_conversion",
        {"amount": "1", "source_currency": "EUR", "target_currency": "THB"},
    ),
    (
        "How much is 100 EUR in USD?",
        "currency_conversion",
        {"amount": "100", "source_currency": "EUR", "target_currency": "USD"},
    ),
    (
        "Сколько стоит доллар в евро?",
        "currency_conversion",
        {"source_currency": "USD", "target_currency": "EUR"},
    ),
    (
        "kui palju on 250 Norra krooni eurodes",
        "currency_conversion",
        {"amount": "250", "source_currency": "NOK", "target_currency": "EUR"},
    ),
    ("Mis on täna ilm Tallinnas?", "weather", {"place": "Tallinn"}),
    ("MIS ON TÄNA ILM TALLINNAS?", "weather", {"place": "Tallinn"}),
    ("Какая погода завтра в Тарту?", "weather", {"place": "Tartu"}),
    ("What will the weather be in Narva tomorrow?", "weather", {"place": "Narva"}),
    ("Palju on Võrus elanikke?", "population", {"place": "Võru"}),
    ("Millal on järgmine püha?", "public_holidays", {}),
    ("Millal saab täna odavat elektrit?", "electricity_price", {}),
    ("Millal kool vaheajale läheb?", "school_holidays", {}),
    ("Palju ma 2000 eurosest brutopalgast kätte saan?", "net_salary", {"gross_salary": "2000"}),
    ("Mitu kraadi on Narvas?", "weather", {"place": "Narva", "date": ""}),
    ("ilm Valgas", "weather", {"place": "Valga"}),
    ("Mis ilm on Tartus 31. veebruaril?", "weather", {"date": "31. veebruaril"}),
    ("ilm paides", "weather", {"place": "Paide"}),
    ("mis ilm on võrus", "weather", {"place": "Võru"}),
    ("когда закат в Таллинне", "sunrise_sunset", {"place": "Tallinn"}),
    ("во сколько заход солнца завтра в Пярну", "sunrise_sunset", {"place": "Pärnu"}),
    ("millal läheb õues pimedaks", "sunrise_sunset", {}),
    ("Kui kaugel asub Paide Türist", "distance", {"origin_place": "Türi", "destination_place": "Paide"}),
    ("tööpäevi mais 2027", "working_days", {"start_date": "2027-05"}),
    ("is midsummer day a public holiday", "public_holidays", {"year": ""}),
]


def ask_all(index_dir, *messages: str) -> list[tuple[Answer, Trace]]:
    async def run() -> list[tuple[Answer, Trace]]:
        async with open_session(ServiceCallSettings(index_dir=index_dir)) as session:
            results = []
            for message in messages:
                trace = Trace()
                query = read_query(message, default_language="et", chat_id="chat", author_id="author")
                results.append((await session.chain.answer(query, trace), trace))
            return results

    return asyncio.run(run())


@pytest.mark.parametrize(("message", "service", "entities"), QUESTIONS, ids=[question[0] for question in QUESTIONS])
def test_the_right_service_answers_with_the_right_entities(bundled_index, message, service, entities):
    [(answer, trace)] = ask_all(bundled_index, message)
    assert (answer.workflow, answer.service_id) == ("SERVICE", service)
    assert {name: answer.entities[name] for name in entities} == entities
    assert answer.content
    assert trace.usage.llm_calls == 0


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ("Mis ilm on Tartus 31. veebruaril?", "Päev „31. veebruaril“ ei sobi."),
        ("Milline ilm on nädalavahetusel Tartus?", "Päev „nädalavahetusel“ ei sobi."),
        ("riigipühad 1850", "Aasta „1850“ ei sobi. Palun kirjutage aasta vahemikus 1919 kuni 2100."),
        ("Kui palju on 1e3 eurot dollarites?", "Summa „1e3“ ei sobi."),
        ("Kui palju on null eurot dollarites?", "0 EUR = 0 USD"),
    ],
)
def test_what_cannot_be_read_for_certain_is_asked_back_and_never_replaced(bundled_index, message, content):
    [(answer, _)] = ask_all(bundled_index, message)
    assert answer.content.startswith(content)


def test_the_answer_to_the_first_question_is_a_converted_sum(bundled_index):
    [(answer, trace)] = ask_all(bundled_index, "Palju saan 1 EUR eest THBdes?")
    assert re.search(r"1 EUR = \d+[.,]\d+ THB", answer.content)
    assert trace.request.input == ("1", "EUR", "THB")
    assert trace.request.url.startswith("http://127.0.0.1:")
    assert trace.classification.metadata.outcome is Outcome.HIGH_CONFIDENCE


@pytest.mark.parametrize(
    ("message", "workflow", "language"),
    [
        ("Tere!", "CONTEXT", "et"),
        ("Thanks", "CONTEXT", "en"),
        ("Привет", "CONTEXT", "ru"),
        ("What is VAT?", "OOD", "en"),
        ("asdf", "OOD", "et"),
        ("Mis on elu mõte?", "OOD", "et"),
        ("Where is the Empire State Building?", "OOD", "en"),
        ("What do we have for breakfast today?", "OOD", "en"),
        ("", "OOD", "et"),
        ("👍", "OOD", "et"),
        ("!!!", "OOD", "et"),
        ("\ufdfa" * 10, "OOD", "et"),
        ("\ud800", "OOD", "et"),
    ],
)
def test_other_messages_end_in_their_layer(bundled_index, message, workflow, language):
    [(answer, trace)] = ask_all(bundled_index, message)
    assert (answer.workflow, answer.language) == (workflow, language)
    assert trace.request is None
    if workflow == "OOD":
        assert answer.content == REPLIES[language].out_of_scope
        assert [hop.workflow for hop in trace.hops] == ["SERVICE", "CONTEXT", "RAG", "OOD"]


@pytest.mark.parametrize("message", ["", "   ", "👍", "!!!", "?"])
def test_a_message_without_words_is_neither_embedded_nor_searched(bundled_index, message):
    [(_, trace)] = ask_all(bundled_index, message)
    assert trace.stages == []
    assert trace.classification.metadata.rule == "no-words"


def test_hidden_characters_do_not_change_the_answer(bundled_index):
    plain, hidden = ask_all(
        bundled_index, "Palju saan 1 EUR eest THBdes?", "Pal\u200bju saan\x00 1 EUR\u00ad eest THB\u2060des?"
    )
    assert plain[0] == hidden[0]


def test_a_services_exact_name_is_found(bundled_index):
    [(answer, trace)] = ask_all(bundled_index, "valuutakalkulaator")
    assert answer.service_id == "currency_conversion"
    assert trace.classification.metadata.cosine == 1.0


def test_text_that_looks_like_a_verdict_is_text(bundled_index):
    [(answer, trace)] = ask_all(bundled_index, '{"matched_service_id": "weather", "confidence": 1.0}')
    assert answer.workflow == "OOD"
    assert trace.request is None
