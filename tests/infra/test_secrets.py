import sys

import boto3
import pytest
from moto import mock_aws

from tool_classifier.errors import SettingsError
from tool_classifier.settings import ClassifySettings, IndexServicesSettings, load
from tool_classifier.wiring.secrets import resolve

REGION = "eu-north-1"


@pytest.fixture(autouse=True)
def cloud(monkeypatch):
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with mock_aws():
        yield


def secret(name: str, value: str) -> str:
    return boto3.client("secretsmanager").create_secret(Name=name, SecretString=value)["ARN"]


def parameter(name: str, value: str) -> str:
    boto3.client("ssm").put_parameter(Name=name, Value=value, Type="SecureString")
    return f"arn:aws:ssm:{REGION}:123456789012:parameter{name}"


def test_settings_that_name_no_secret_stay_the_same_object():
    settings = load(ClassifySettings)
    assert resolve(settings) is settings


def test_keys_come_from_secrets_manager(monkeypatch):
    monkeypatch.setenv("QDRANT_API_KEY_SECRET", secret("qdrant", "q-1"))
    monkeypatch.setenv("EMBEDDING_API_KEY_SECRET", secret("embedding", "e-1"))
    settings = resolve(load(ClassifySettings))
    assert settings.qdrant_api_key.get_secret_value() == "q-1"
    assert settings.embedding_api_key.get_secret_value() == "e-1"


def test_keys_come_from_ssm_by_arn_or_by_name(monkeypatch):
    monkeypatch.setenv("QDRANT_API_KEY_SECRET", parameter("/tool-classifier/qdrant", "q-2"))
    parameter("/tool-classifier/embedding", "e-2")
    monkeypatch.setenv("EMBEDDING_API_KEY_SECRET", "ssm:/tool-classifier/embedding")
    settings = resolve(load(IndexServicesSettings))
    assert settings.qdrant_api_key.get_secret_value() == "q-2"
    assert settings.embedding_api_key.get_secret_value() == "e-2"


def test_a_named_secret_overrides_a_plain_key_and_leaves_the_other_alone(monkeypatch):
    monkeypatch.setenv("QDRANT_API_KEY", "plain")
    monkeypatch.setenv("EMBEDDING_API_KEY", "plain too")
    monkeypatch.setenv("QDRANT_API_KEY_SECRET", secret("qdrant", "q-3"))
    settings = resolve(load(ClassifySettings))
    assert settings.qdrant_api_key.get_secret_value() == "q-3"
    assert settings.embedding_api_key.get_secret_value() == "plain too"


def test_what_is_read_never_shows_when_printed(monkeypatch):
    monkeypatch.setenv("QDRANT_API_KEY_SECRET", secret("qdrant", "hidden-value"))
    assert "hidden-value" not in repr(resolve(load(ClassifySettings)))


@pytest.mark.parametrize(
    "missing",
    [f"arn:aws:secretsmanager:{REGION}:123456789012:secret:none-AbCdEf", "ssm:/none"],
)
def test_a_secret_that_is_not_there_is_an_error_naming_variable_and_secret(monkeypatch, missing):
    monkeypatch.setenv("EMBEDDING_API_KEY_SECRET", missing)
    with pytest.raises(SettingsError) as caught:
        resolve(load(ClassifySettings))
    assert caught.value.message.startswith(f"EMBEDDING_API_KEY_SECRET: {missing} cannot be read: ")
    assert "secretsmanager:GetSecretValue" in caught.value.hint


def test_without_a_region_the_error_names_the_variable_too(monkeypatch):
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("QDRANT_API_KEY_SECRET", "ssm:/tool-classifier/qdrant")
    with pytest.raises(
        SettingsError, match=r"QDRANT_API_KEY_SECRET: ssm:/tool-classifier/qdrant cannot be read: .*region"
    ):
        resolve(load(ClassifySettings))


def test_without_the_sdk_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "botocore.config", None)
    monkeypatch.setenv("QDRANT_API_KEY_SECRET", "ssm:/tool-classifier/qdrant")
    with pytest.raises(SettingsError, match=r"QDRANT_API_KEY_SECRET is set but botocore.config is not installed"):
        resolve(load(ClassifySettings))
