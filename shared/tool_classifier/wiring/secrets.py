"""Keys that the environment names but does not hold: read from Secrets Manager or SSM when a function is built."""

from typing import TypeVar

from pydantic import SecretStr

from tool_classifier.errors import SettingsError
from tool_classifier.settings import OperationSettings

_KEYS = ("qdrant_api_key", "embedding_api_key")
_TIMEOUT_SECONDS = 3  # INIT has ten seconds in all, and a wrong network setup should say so within them

_SettingsT = TypeVar("_SettingsT", bound=OperationSettings)


def resolve(settings: _SettingsT) -> _SettingsT:
    """The settings with each key that a `*_SECRET` variable names; such a key overrides a plain one.

    Calls AWS only when such a variable is set. Raises SettingsError naming the variable and what could not be read.
    """
    named = {key: getattr(settings, f"{key}_secret") for key in _KEYS}
    found = {key: SecretStr(_read(f"{key}_secret".upper(), name)) for key, name in named.items() if name is not None}
    return settings.model_copy(update=found) if found else settings


def _read(variable: str, name: str) -> str:
    try:
        from aws_lambda_powertools.utilities import parameters  # noqa: PLC0415 - loads boto3, which few need
        from botocore.config import Config  # noqa: PLC0415
        from botocore.exceptions import BotoCoreError  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{variable} is set but {error.name} is not installed",
            hint="Lambda's runtime has boto3; elsewhere install it, or set the key itself.",
        ) from error
    limits = Config(connect_timeout=_TIMEOUT_SECONDS, read_timeout=_TIMEOUT_SECONDS, retries={"total_max_attempts": 2})
    try:
        if _is_parameter(name):
            ssm = parameters.SSMProvider(boto_config=limits)
            return str(ssm.get(name.removeprefix("ssm:"), decrypt=True))
        return str(parameters.SecretsProvider(boto_config=limits).get(name))
    except (parameters.GetParameterError, BotoCoreError) as error:
        raise SettingsError(
            f"{variable}: {name} cannot be read: {error}",
            hint="It has to exist in this region, and the function's role needs secretsmanager:GetSecretValue or "
            "ssm:GetParameter on it.",
        ) from error


def _is_parameter(name: str) -> bool:
    return name.startswith("ssm:") or name.split(":")[2:3] == ["ssm"]
