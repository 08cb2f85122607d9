"""The command line as people and scripts use it."""

import fcntl
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from tool_classifier.cli import app
from tool_classifier.local.demo import bundled_catalogue_path

CATALOGUE = """
services:
  - id: opening_hours
    name: Lahtiolekuajad
    examples: [Mis kell te avate?, Kas olete pühapäeval avatud?]
  - id: parking
    name: Parkimine
    examples: [Kus saab parkida?, Kui palju parkimine maksab?]
"""


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")

    def invoke(*arguments: str):
        return CliRunner().invoke(app, arguments)

    return invoke


@pytest.fixture
def index_dir(monkeypatch, tmp_path, bundled_index) -> Path:
    """A copy of the bundled index, as INDEX_DIR."""
    folder = tmp_path / "index"
    shutil.copytree(bundled_index, folder)
    monkeypatch.setenv("INDEX_DIR", str(folder))
    return folder


def test_ask_prints_the_answer_and_its_reasons(run, index_dir):
    result = run("ask", "Palju saan 1 EUR eest THBdes?")
    assert result.exit_code == 0
    answer, reasons = result.stdout.splitlines()[0], result.stdout.splitlines()[-1]
    assert "THB" in answer
    assert "SERVICE · currency_conversion · amount=1 · source_currency=EUR · target_currency=THB" in reasons
    assert "clear-winner" in reasons


def test_ask_json_prints_one_object(run, index_dir):
    result = run("ask", "How much is 100 EUR in USD?", "--json")
    report = json.loads(result.stdout)
    assert report.keys() == {
        "workflow", "content", "buttons", "service_id", "entities", "language", "usage", "trace",
    }  # fmt: skip
    assert (report["workflow"], report["service_id"], report["language"]) == ("SERVICE", "currency_conversion", "en")
    assert report["entities"] == {"amount": "100", "source_currency": "EUR", "target_currency": "USD"}
    assert report["usage"] == {"llm_calls": 0, "cost_usd": 0.0, "components": {}}
    assert report["trace"]["request"]["input"] == ["100", "EUR", "USD"]


def test_explain_goes_to_stderr_and_names_every_step(run, index_dir):
    result = run("ask", "How much is 100 EUR in USD?", "--json", "--explain")
    json.loads(result.stdout)
    for part in (
        "currency_conversion",
        "best example",
        "minimum 0.35",
        "rule clear-winner",
        "intent (local)",
        "target_currency='USD'",
        "request: POST http://127.0.0.1:",
        "SERVICE  answered",
        "embed",
        "own decision",
    ):
        assert part in result.stderr


def test_explain_of_a_rejection_names_each_layers_reason(run, index_dir):
    result = run("ask", "asdf", "--explain")
    assert "below-minimum" in result.stderr
    assert "RAG      passed — no knowledge base is configured" in result.stderr
    assert "OOD      answered" in result.stderr


def test_explain_of_a_message_without_words(run, index_dir):
    assert "no-words" in run("ask", "👍", "--explain").stderr


def test_classify_json_prints_the_classification(run, index_dir):
    classification = json.loads(run("classify", "Mis on täna ilm Tallinnas?", "--json").stdout)
    assert classification["workflow"] == "SERVICE"
    assert classification["metadata"]["matched_service_id"] == "weather"
    assert classification["metadata"]["outcome"] == "high-confidence"


def test_classify_shows_scores(run, index_dir):
    result = run("classify", "Mis on täna ilm Tallinnas?")
    assert "weather" in result.stdout
    assert "outcome high-confidence" in result.stdout


def test_index_reports_what_it_did_and_does_nothing_twice(run, monkeypatch, tmp_path):
    monkeypatch.setenv("INDEX_DIR", str(tmp_path / "index"))
    catalogue = tmp_path / "services.yaml"
    catalogue.write_text(CATALOGUE, encoding="utf-8")
    first = json.loads(run("index", "--catalogue", str(catalogue), "--json").stdout)
    assert (first["added"], first["removed"], first["failed"]) == (["opening_hours", "parking"], [], [])
    assert first["texts_embedded"] > 0
    second = json.loads(run("index", "--catalogue", str(catalogue), "--json").stdout)
    assert (second["unchanged"], second["texts_embedded"]) == (["opening_hours", "parking"], 0)
    catalogue.write_text(CATALOGUE.replace("Kus saab parkida?", "Kus on parkla?"), encoding="utf-8")
    planned = json.loads(run("index", "--catalogue", str(catalogue), "--dry-run", "--json").stdout)
    assert (planned["changed"], planned["dry_run"]) == (["parking"], True)
    third = run("index", "--catalogue", str(catalogue))
    assert "changed: parking" in third.stderr


def test_an_index_of_another_catalogue_is_not_replaced_by_asking(run, monkeypatch, tmp_path):
    monkeypatch.setenv("INDEX_DIR", str(tmp_path / "index"))
    catalogue = tmp_path / "services.yaml"
    catalogue.write_text(CATALOGUE, encoding="utf-8")
    run("index", "--catalogue", str(catalogue))
    report = json.loads(run("ask", "Kus saab parkida?", "--json").stdout)
    hops = report["trace"]["hops"]
    assert report["trace"]["classification"]["metadata"]["matched_service_id"] == "parking"
    assert hops[0]["reason"].startswith("service_status")  # the demo services do not know this one
    assert report["workflow"] == "OOD"


FAULTS = {
    "bad YAML": ("services: [", "services.yaml"),
    "missing field": ("services:\n  - id: a\n    examples: [q]\n", "name"),
    "duplicate id": (CATALOGUE.replace("id: parking", "id: opening_hours"), "opening_hours"),
    "entity twice": (CATALOGUE + "    entities: [place, place]\n", "entities"),
}


@pytest.mark.parametrize(("text", "named"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_catalogue_is_refused_and_the_index_stays(run, index_dir, tmp_path, text, named):
    catalogue = tmp_path / "services.yaml"
    catalogue.write_text(text, encoding="utf-8")
    before = (index_dir / "current").read_bytes()
    result = run("index", "--catalogue", str(catalogue))
    assert result.exit_code == 4
    assert "catalogue_invalid" in result.stderr
    assert str(catalogue) in result.stderr
    assert named in result.stderr
    assert (index_dir / "current").read_bytes() == before
    assert run("ask", "Tere!").exit_code == 0


def test_a_missing_catalogue_file_is_named(run, tmp_path):
    result = run("index", "--catalogue", str(tmp_path / "none.yaml"))
    assert (result.exit_code, "none.yaml" in result.stderr) == (4, True)


def test_doctor_finds_everything_in_place(run, index_dir):
    result = run("doctor", "--json")
    assert result.exit_code == 0
    checks = {check["name"]: check for check in json.loads(result.stdout)}
    assert checks.keys() == {"catalogue", "embedding model", "index", "index content", "services"}
    assert "up to date" in checks["index content"]["detail"]


def test_doctor_says_what_is_wrong_and_how_to_mend_it(run, monkeypatch, tmp_path):
    monkeypatch.setenv("INDEX_DIR", str(tmp_path / "nothing"))
    monkeypatch.setenv("RUUTER_SERVICE_BASE_URL", "http://127.0.0.1:1")
    result = run("doctor")
    assert result.exit_code == 1
    assert "FAIL index" in result.stderr
    assert "tool-classifier index" in result.stderr
    assert "RUUTER_SERVICE_BASE_URL" in result.stderr


def test_doctor_notices_an_outdated_index(run, index_dir, monkeypatch, tmp_path):
    catalogue = tmp_path / "services.yaml"
    catalogue.write_text(CATALOGUE, encoding="utf-8")
    monkeypatch.setenv("CATALOGUE_FILE", str(catalogue))
    result = run("doctor")
    assert result.exit_code == 1
    assert "FAIL index content" in result.stderr
    assert "services differ from" in result.stderr
    assert "tool-classifier index" in result.stderr


def test_an_unusable_setting_is_named(run, monkeypatch):
    monkeypatch.setenv("SERVICE_CALL_TIMEOUT", "soon")
    result = run("ask", "Tere!")
    assert result.exit_code == 3
    assert "SERVICE_CALL_TIMEOUT" in result.stderr


def test_an_index_of_another_embedder_is_refused_with_the_cure(run, index_dir, monkeypatch):
    monkeypatch.setenv("EMBEDDING_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("CATALOGUE_FILE", "other.yaml")
    result = run("classify", "Tere!")
    assert result.exit_code == 5
    assert "multilingual-e5-small" in result.stderr
    assert "text-embedding-3-large" in result.stderr
    assert "dimension 384" in result.stderr
    assert "dimension 3072" in result.stderr
    assert "tool-classifier index" in result.stderr


def test_serve_answers_until_it_is_stopped(index_dir):
    command = [sys.executable, "-c", "from tool_classifier.cli import main; main()", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            url = re.search(r"http://127\.0\.0\.1:\d+", server.stderr.readline()).group()
            body = {"chatId": "c", "message": "How much is 100 EUR in USD?", "authorId": "a"}
            answer = httpx.post(f"{url}/orchestrate", json=body | {"explain": True}, timeout=30).json()
            listed = httpx.get(f"{url}/services/get-services", timeout=30).json()
        finally:
            server.send_signal(signal.SIGTERM)
            code = server.wait(timeout=30)
    assert (answer["workflow"], code) == ("SERVICE", -signal.SIGTERM)
    assert answer["trace"]["request"]["url"].startswith(f"{url}/services/active/")  # one port for everything
    assert len(listed["response"]["services"]) >= 12


@pytest.mark.parametrize("catalogue", ["{missing}", "services: ["])
def test_a_broken_catalogue_does_not_keep_a_published_index_from_answering(run, monkeypatch, tmp_path, catalogue):
    monkeypatch.setenv("INDEX_DIR", str(tmp_path / "index"))
    path = tmp_path / "services.yaml"
    path.write_text(CATALOGUE, encoding="utf-8")
    monkeypatch.setenv("CATALOGUE_FILE", str(path))
    assert run("index").exit_code == 0
    path.unlink() if catalogue == "{missing}" else path.write_text(catalogue)
    result = run("classify", "Kus saab parkida?", "--json")
    assert json.loads(result.stdout)["metadata"]["matched_service_id"] == "parking"
    monkeypatch.setenv("CATALOGUE_FILE", "")
    monkeypatch.setenv("RAG_SEARCH_RUUTER_PUBLIC", "http://127.0.0.1:1")
    assert run("classify", "Kus saab parkida?").exit_code == 0


def test_asking_goes_on_while_another_process_publishes(run, index_dir):
    with (index_dir / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        manifest = next((index_dir / "versions").iterdir()) / "manifest.json"
        outdated = json.loads(manifest.read_text())
        outdated["content"]["weather"] = "another hash"
        manifest.write_text(json.dumps(outdated))
        assert run("ask", "Tere!").exit_code == 0


def test_bundled_services_are_never_called_at_a_configured_gateway(run, index_dir, monkeypatch, tmp_path):
    catalogue = tmp_path / "services.yaml"
    catalogue.write_text(CATALOGUE, encoding="utf-8")
    monkeypatch.setenv("CATALOGUE_FILE", str(catalogue))
    monkeypatch.setenv("RUUTER_SERVICE_BASE_URL", "http://127.0.0.1:1")
    report = json.loads(run("ask", "How much is 100 EUR in USD?", "--json").stdout)
    assert report["trace"]["request"] is None
    catalogue.unlink()
    assert run("ask", "Tere!").exit_code == 0  # the index now holds the editor's services
    assert run("index").exit_code == 4


def test_a_foreign_index_and_a_failed_call_are_told(run, monkeypatch, tmp_path):
    monkeypatch.setenv("INDEX_DIR", str(tmp_path / "index"))
    catalogue = tmp_path / "services.yaml"
    catalogue.write_text(CATALOGUE, encoding="utf-8")
    run("index", "--catalogue", str(catalogue))
    result = run("ask", "Kus saab parkida?")
    assert f"the index holds the services of {catalogue}" in result.stderr
    assert "SERVICE failed: service_status" in result.stdout


def test_classify_explains_on_stderr_beside_json(run, index_dir):
    result = run("classify", "Mis on täna ilm Tallinnas?", "--json", "--explain")
    json.loads(result.stdout)
    assert "time: embed" in result.stderr


@pytest.mark.parametrize("port", ["-1", "99999"])
def test_a_port_out_of_range_is_wrong_usage(run, port):
    assert run("serve", "--port", port).exit_code == 2


def test_a_port_that_is_taken_is_named(run, index_dir):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run("serve", "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 3
    assert "--port" in result.stderr


def test_buttons_are_shown_below_the_answer(run, index_dir):
    result = run("ask", "Millal on järgmine riigipüha?")
    assert any(line.startswith("  [") for line in result.stdout.splitlines())


def test_wrong_usage_has_its_own_exit_code(run):
    assert run("ask").exit_code == 2


def test_ask_stays_within_its_memory_and_import_budget(index_dir):
    """One process, as a user starts it: under 350 MB, and none of the heavy SDKs it has no use for."""
    script = (
        "import re, sys; from pathlib import Path; from tool_classifier.cli import app\n"
        "try: app(['ask', 'Palju saan 1 EUR eest THBdes?', '--json'])\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "heavy = {'dspy', 'litellm', 'boto3', 'qdrant_client', 'openai', 'grpc'} & set(sys.modules)\n"
        # Not getrusage: its peak includes the parent's, whose memory a started process shares until exec.
        "peak = re.search(r'VmHWM:\\s+(\\d+) kB', Path('/proc/self/status').read_text())\n"
        "print(int(peak.group(1)) // 1024, sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    megabytes, heavy = done.stderr.splitlines()[-1].split(maxsplit=1)
    assert json.loads(done.stdout)["service_id"] == "currency_conversion"
    assert int(megabytes) < 350
    assert heavy == "[]"


def test_the_bundled_catalogue_ships_with_the_package():
    assert bundled_catalogue_path().is_file()


def test_three_that_ask_at_once_on_a_fresh_machine_all_get_their_answer(monkeypatch, tmp_path):
    monkeypatch.setenv("INDEX_DIR", str(tmp_path / "index"))
    command = [sys.executable, "-c", "from tool_classifier.cli import main; main()", "ask", "Tere!"]
    asking = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    results = [(process.communicate(timeout=120)[0].splitlines()[:1], process.returncode) for process in asking]
    assert results == [(["Tere! Kuidas saan aidata?"], 0)] * 3
