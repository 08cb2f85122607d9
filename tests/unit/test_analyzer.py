import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_classifier.text import analyzer
from tool_classifier.text.analyzer import SparseVector, analyse_document, analyse_query, token_id


def ids(*tokens):
    return tuple(sorted(token_id(token) for token in tokens))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("passi", ["pas", "ass", "ssi", "pass", "assi"]),
        ("Explain C++", ["exp", "xpl", "pla", "lai", "ain", "expl", "xpla", "plai", "lain", "c++"]),
        ("C#", ["c#"]),
        ("café", ["caf", "afé", "café"]),
        ("привет", ["при", "рив", "иве", "вет", "прив", "риве", "ивет"]),
        ("我需要开发票", ["我需", "需要", "要开", "开发", "发票"]),
        ("开发票ok", ["开发", "发票", "ok"]),
        ("1 EUR", ["1", "eur"]),
        (
            "target_x",
            ["tar", "arg", "rge", "targ", "arge", "rget", "get", "x"],
        ),
        ("票", ["票"]),
    ],
)
def test_words_of_every_script_become_tokens(text, tokens):
    assert analyse_query(text).indices == ids(*tokens)


@pytest.mark.parametrize("text", ["", "   ", "👍", "!!!", "?", "\u200b\u2060", "…—", "👩‍👩‍👧"])
def test_a_text_without_words_has_no_vector(text):
    assert analyse_query(text) is None
    assert analyse_document(text) is None


def test_case_width_and_invisible_characters_make_no_difference():
    assert analyse_query("ＰＡＳＳＩ\u200b vahetus") == analyse_query("passi vahetus")
    assert analyse_query("cafe\u0301") == analyse_query("café")


def test_a_query_term_weighs_one_however_often_it_is_written():
    assert set(analyse_query("passi passi PASSI").values) == {1.0}
    assert analyse_query("passi passi") == analyse_query("passi")


def test_the_same_term_weighs_more_in_a_short_text_than_in_a_long_one():
    short = analyse_document("uut passi")
    long = analyse_document("uut passi on vaja kiiresti sest reis algab juba ülehomme hommikul kell kuus")
    assert weight(short, "pass") > weight(long, "pass")


def test_repeating_a_term_adds_ever_less():
    weights = [weight(analyse_document("passi " * times + "sõna " * (10 - times)), "pass") for times in (1, 2, 3)]
    assert weights[0] < weights[1] < weights[2]
    assert weights[2] - weights[1] < weights[1] - weights[0]


def test_document_weights_are_bm25_term_frequencies():
    # Three tokens: 1 * (1.2 + 1) / (1 + 1.2 * (1 - 0.75 + 0.75 * 3 / 50))
    assert weight(analyse_document("café"), "café") == pytest.approx(2.2 / (1 + 1.2 * (0.25 + 0.75 * 3 / 50)))


def test_two_tokens_with_one_id_are_merged_by_adding():
    first, second = "t15385", "t210367"
    assert token_id(first) == token_id(second)
    vector = analyzer._vector({first: 1.0, second: 0.5})
    assert vector == SparseVector(indices=(token_id(first),), values=(1.5,))


def test_token_ids_are_the_same_in_another_process():
    code = "from tool_classifier.text.analyzer import token_id; print(token_id('passi'))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(printed) == token_id("passi") == 1183829482


@given(st.text())
def test_any_text_has_a_valid_vector_or_none(text):
    for vector in (analyse_query(text), analyse_document(text)):
        if vector is None:
            assert not any(unicodedata.category(c)[0] == "L" for c in unicodedata.normalize("NFKC", text))
        else:
            assert list(vector.indices) == sorted(set(vector.indices))
            assert all(0 <= index < 2**32 for index in vector.indices)
            assert len(vector.values) == len(vector.indices)
            assert all(value > 0 for value in vector.values)


def weight(vector, token):
    return vector.values[vector.indices.index(token_id(token))]
