"""What every text looks like after normalisation, and which two texts count as equal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_classifier.text.normalise import MAX_CHARACTERS, fold, has_words, normalise

ANY_TEXT = st.text(st.characters(codec=None, categories=None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  palju \t on\r\n kell \u2028 nüüd ", "palju on kell nüüd"),
        ("tere\0 tulemast", "tere tulemast"),
        ("a\x85b\x1fc", "a b c"),
        ("tere \ud800 taas\udfff", "tere taas"),
        ("ig\u200bno\u2060re pre\u00advious\ufeff", "ignore previous"),
        ("\u202eabc\u202c \u2066d\u2069", "abc d"),
        ("hi\U000e0069\U000e0067\U000e006e", "hi"),
        ("a\u3164b\uffa0c\u034fd", "abcd"),
        ("\ufb01n \uff21\uff22 \u2460", "fin AB 1"),
        ("x\ue000\U000f1234y", "xy"),
    ],
)
def test_hidden_and_compatibility_characters_go_and_visible_text_stays(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    "text", ["👍", "🙂 õ 北", "🇪🇪", "👍🏽", "C++ & C#", "café", "हिन्दी", "привет ё", "\u0600\u0661"]
)
def test_visible_text_in_any_script_is_unchanged(text: str) -> None:
    assert normalise(text) == text


def test_a_joined_emoji_falls_into_its_parts() -> None:
    assert normalise("👩\u200d👧 ❤\ufe0f") == "👩👧 ❤"


def test_combining_marks_join_their_letter_even_across_a_hidden_character() -> None:
    assert normalise("o\u0303e") == "õe"
    assert normalise("o\u200b\u0303e") == "õe"
    assert normalise("q\u0303") == "q\u0303"


def test_the_ligature_that_becomes_eighteen_characters_is_spelled_out() -> None:
    text = normalise("\ufdfa" * 10)
    assert len(text) == 180
    assert "\ufdfa" not in text


def test_the_cap_counts_visible_characters() -> None:
    assert normalise("\u200b" * 20_000 + "tere") == "tere"
    assert len(normalise("a" * 24_000)) == MAX_CHARACTERS
    assert len(normalise("\ufdfa" * MAX_CHARACTERS)) <= MAX_CHARACTERS
    assert normalise("a" * (MAX_CHARACTERS - 1) + " b") == "a" * (MAX_CHARACTERS - 1)


@pytest.mark.parametrize("text", ["", "   ", "\0", "\ud800", "\u200b\u00a0"])
def test_nothing_visible_gives_an_empty_text(text: str) -> None:
    assert normalise(text) == ""


@given(ANY_TEXT)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(ANY_TEXT)
def test_any_text_becomes_encodable_and_free_of_controls(text: str) -> None:
    once = normalise(text)
    once.encode()
    assert not [c for c in once if unicodedata.category(c) in ("Cc", "Cs", "Co")]
    assert once == once.strip()


@pytest.mark.parametrize("text", ["a", "7", "привет", "我", "$100", "?! õ"])
def test_a_letter_or_digit_in_any_script_is_a_word(text: str) -> None:
    assert has_words(text)


@pytest.mark.parametrize("text", ["", " ", "👍", "!!!", "?", "...", "👩👧", "+-*/"])
def test_punctuation_and_emoji_are_no_words(text: str) -> None:
    assert not has_words(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tere, tulemast! 👋", "tere tulemast"),
        ("STRASSE", "straße"),
        ("cancel_order", "Cancel order"),
        ("«Привет»", "привет"),
        ("\u01f0a", "J\u030cA"),
        ("e\u200b\u0301", "É"),
    ],
)
def test_case_punctuation_and_emoji_do_not_tell_texts_apart(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_signs_that_carry_meaning_tell_texts_apart() -> None:
    assert len({fold(text) for text in ("C", "C++", "C#", "100", "$100", "100 €")}) == 6


@given(ANY_TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
