import json

from tool_classifier.docs import main, pages


def test_pages_are_written_and_found_fresh(tmp_path, capsys):
    assert main([str(tmp_path), "--check"]) == 1
    assert "settings.md is stale: run make docs" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 0
    assert main([str(tmp_path), "--check"]) == 0
    (tmp_path / "cli.md").write_text("old")
    assert main([str(tmp_path), "--check"]) == 1
    assert capsys.readouterr().err.count("stale") == 1


def test_settings_page_has_a_row_for_each_variable():
    page = pages()["settings.md"]
    assert "| `SERVICE_CALL_TIMEOUT` | `10.0` | Seconds for one call to a service, all told. |" in page
    assert "| `QDRANT_COLLECTION` | `intent_collections` |" in page
    assert page.count("`LOG_LEVEL`") == 1


def test_cli_page_has_every_command_and_the_exit_codes():
    page = pages()["cli.md"]
    for command in ("ask", "classify", "index", "doctor", "serve"):
        assert f"## tool-classifier {command}\n" in page
    assert "4 catalogue" in page
    assert "--explain" in page


def test_openapi_describes_every_route_and_the_stream():
    api = json.loads(pages()["openapi.json"])
    routes = {(path, method) for path, methods in api["paths"].items() for method in methods}
    assert routes == {
        ("/classify", "post"),
        ("/orchestrate", "post"),
        ("/orchestrate/stream", "post"),
        ("/services", "get"),
        ("/services/index", "post"),
        ("/services/{service_id}", "delete"),
        ("/health", "get"),
    }
    assert {"ProblemBody", "FaultBody"} <= api["components"]["schemas"].keys()
    for methods in api["paths"].values():
        for operation in methods.values():
            assert "application/problem+json" in operation["responses"]["422"]["content"]
    assert api["components"]["schemas"]["OrchestrateRequest"]["examples"][0]["message"]
    stream = api["paths"]["/orchestrate/stream"]["post"]["responses"]["200"]
    assert "END" in stream["content"]["text/event-stream"]["example"]
