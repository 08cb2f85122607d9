import pytest

from tool_classifier.text.language import detect_language
from tool_classifier.text.query import read_query


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Palju saan 1 EUR eest THBdes?", "et"),
        ("Mis on täna ilm Tallinnas?", "et"),
        ("rahvaarv", "et"),
        ("How much is 100 EUR in USD?", "en"),
        ("What is VAT?", "en"),
        ("Сколько стоит доллар в евро?", "ru"),
        ("Курс THB и EUR сегодня", "ru"),
        ("palju on 100 eurot in dollars", "et"),
    ],
)
def test_language_of_a_question(text, language):
    assert detect_language(text, default="ru") == language


@pytest.mark.parametrize("text", ["", "???", "123", "👍", "asdf", "我需要开发票", "\ufdfa" * 10])
@pytest.mark.parametrize("default", ["et", "en", "ru"])
def test_a_text_that_does_not_show_its_language_gets_the_default(text, default):
    assert detect_language(text, default=default) == default


def test_a_message_becomes_a_query():
    query = read_query("  Mis\u200b ilm  on\x00? ", default_language="et", chat_id="c", author_id="a")
    assert (query.text, query.language, query.has_words) == ("Mis ilm on?", "et", True)
    assert (query.chat_id, query.author_id, query.history) == ("c", "a", ())


@pytest.mark.parametrize("message", ["", "   ", "👍", "!!!", "?"])
def test_a_message_without_words_is_marked(message):
    assert not read_query(message, default_language="et").has_words
