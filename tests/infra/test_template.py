"""The template, as CloudFormation gets it from SAM, and what a deployment with certain parameters is."""

import itertools
import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.infra.cloudformation import listed, references, statements
from tool_classifier.settings import ClassifySettings, IndexServicesSettings, ServiceCallSettings, load

ROOT = Path(__file__).parents[2]
FUNCTIONS = {
    "ClassifyFunction": ClassifySettings,
    "ServiceCallFunction": ServiceCallSettings,
    "ServiceCallStreamFunction": ServiceCallSettings,
    "IndexServicesFunction": IndexServicesSettings,
}
ARN = "arn:aws:secretsmanager:eu-north-1:123456789012:secret:qdrant-AbCdEf"
SERVER = {"QdrantUrl": "https://qdrant.example:6333"}
REMOTE = {"EmbeddingUrl": "https://embedding.example/v1", "EmbeddingModel": "m", "EmbeddingDimension": 1024}
REGISTRY = {"RegistryUrl": "https://ruuter.example"}
DEPLOYMENTS = [{**store, **model} for store, model in itertools.product(({}, SERVER), ({}, REMOTE))]
STREAM = "/orchestrate/stream"


@pytest.fixture
def api(translated):
    return translated["Resources"]["Api"]["Properties"]["Body"]


def test_sam_validates_and_lints_the_template(sam):
    done = sam("-m", "samcli", "validate", "--lint", "--template", "template.yaml", "--region", "eu-north-1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is a valid SAM Template" in done.stdout


# ------------------------------------------------------------------------------------------------------- the API


def test_the_api_has_the_routes_of_the_app_and_no_other(api):
    assert {(verb, path) for path, verbs in api["paths"].items() for verb in verbs if verb != "options"} == app_routes()


def app_routes() -> set[tuple[str, str]]:
    """Verbs and paths that clients use; HEAD, which some monitors send to servers of their own, is not one of them."""
    paths = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))["paths"]
    return {(verb, path) for path, verbs in paths.items() for verb in verbs if verb != "head"}


def test_only_the_streaming_route_streams(api):
    integrations = {
        path: operation["x-amazon-apigateway-integration"]
        for path, verbs in api["paths"].items()
        for verb, operation in verbs.items()
        if verb != "options"
    }
    streaming = integrations.pop(STREAM)
    assert "${ServiceCallStreamFunction.Arn}/response-streaming-invocations" in streaming["uri"]["Fn::Sub"]
    assert (streaming["responseTransferMode"], streaming["timeoutInMillis"]) == ("STREAM", 300_000)
    assert all(one["uri"]["Fn::Sub"].endswith("/invocations") for one in integrations.values())
    assert all("responseTransferMode" not in one for one in integrations.values())


def test_bodies_are_validated_by_a_validator_that_exists(api):
    validators = {
        path: api["x-amazon-apigateway-request-validators"][verbs["post"]["x-amazon-apigateway-request-validator"]]
        for path, verbs in api["paths"].items()
        if path in ("/classify", "/orchestrate", STREAM)
    }
    assert len(validators) == 3
    assert all(validator["validateRequestBody"] for validator in validators.values())
    assert api["definitions"]["jsonobject"] == {"type": "object"}
    refusal = api["x-amazon-apigateway-gateway-responses"]["BAD_REQUEST_BODY"]
    problem = json.loads(refusal["responseTemplates"]["application/json"])
    assert (refusal["statusCode"], problem["status"], problem["errors"][0]["field"]) == ("422", 422, "body")


@pytest.mark.parametrize(
    ("mode", "scheme", "keys"), [("API_KEY", "api_key", 1), ("IAM", "sigv4", 0), ("JWT", "jwt", 0)]
)
def test_every_route_asks_for_what_the_mode_says(deployment, mode, scheme, keys):
    chosen = deployment(AuthMode=mode, JwtUserPoolArn="arn:aws:cognito-idp:eu-north-1:123456789012:userpool/eu_1")
    body = chosen.of_type("AWS::ApiGateway::RestApi")["Api"]["Body"]
    asked = [
        operation.get("security")
        for verbs in body["paths"].values()
        for verb, operation in verbs.items()
        if verb != "options"
    ]
    assert asked == [[{scheme: []}]] * 7
    assert scheme in body["securityDefinitions"]
    assert len(chosen.of_type("AWS::ApiGateway::UsagePlanKey")) == keys
    assert ("ApiKeyId" in chosen.outputs) is bool(keys)


def test_jwts_are_those_of_the_user_pool(deployment):
    pool = "arn:aws:cognito-idp:eu-north-1:123456789012:userpool/eu_1"
    body = deployment(AuthMode="JWT", JwtUserPoolArn=pool).of_type("AWS::ApiGateway::RestApi")["Api"]["Body"]
    scheme = body["securityDefinitions"]["jwt"]
    assert scheme["x-amazon-apigateway-authorizer"] == {"type": "cognito_user_pools", "providerARNs": [pool]}
    assert "jwt" not in deployment().of_type("AWS::ApiGateway::RestApi")["Api"]["Body"]["securityDefinitions"]


def test_the_stage_is_throttled_and_logs_access(deployment):
    stage = deployment(ThrottleRate=7, ThrottleBurst=9).of_type("AWS::ApiGateway::Stage")["ApiStage"]
    [settings] = stage["MethodSettings"]
    assert (settings["ResourcePath"], settings["HttpMethod"]) == ("/*", "*")
    assert (settings["ThrottlingRateLimit"], settings["ThrottlingBurstLimit"]) == (7, 9)
    assert references(stage["AccessLogSetting"]) == set()
    assert stage["AccessLogSetting"]["DestinationArn"] == {"Fn::GetAtt": ["ApiLogGroup", "Arn"]}
    assert json.loads(stage["AccessLogSetting"]["Format"])["status"] == "$context.status"


def test_web_pages_are_let_in_by_origin(deployment):
    def origin(**values: str) -> object:
        body = deployment(**values).of_type("AWS::ApiGateway::RestApi")["Api"]["Body"]
        preflight = body["paths"]["/classify"]["options"]["x-amazon-apigateway-integration"]["responses"]["default"]
        return preflight["responseParameters"]["method.response.header.Access-Control-Allow-Origin"]

    assert origin() == "'https://cors.invalid'"
    assert origin(CorsAllowOrigin="https://chat.example") == {"Fn::Sub": "'${CorsAllowOrigin}'"}


# ------------------------------------------------------------------------------------------------- the functions


def test_the_function_url_streams_and_has_both_permissions(deployment):
    [url] = deployment().of_type("AWS::Lambda::Url").values()
    assert (url["AuthType"], url["InvokeMode"]) == ("AWS_IAM", "RESPONSE_STREAM")
    permissions = [
        (permission["Action"], permission.get("FunctionUrlAuthType"), permission.get("InvokedViaFunctionUrl"))
        for permission in deployment().of_type("AWS::Lambda::Permission").values()
        if permission["Principal"] == {"Ref": "AWS::AccountId"}
    ]
    assert sorted(permissions, key=str) == [
        ("lambda:InvokeFunction", None, True),
        ("lambda:InvokeFunctionUrl", "AWS_IAM", None),
    ]


@pytest.mark.parametrize(("architecture", "layer"), [("x86_64", "X86"), ("arm64", "Arm64")])
def test_the_streaming_function_runs_behind_the_web_adapter(deployment, architecture, layer):
    function = deployment(Architecture=architecture).of_type("AWS::Lambda::Function")["ServiceCallStreamFunction"]
    variables = function["Environment"]["Variables"]
    assert function["Handler"] == "run.sh"
    assert (ROOT / "functions" / "service_call" / "run.sh").stat().st_mode & 0o111
    assert variables["AWS_LAMBDA_EXEC_WRAPPER"] == "/opt/bootstrap"
    assert variables["AWS_LWA_INVOKE_MODE"] == "response_stream"
    assert variables["AWS_LWA_ENABLE_COMPRESSION"] == "false"
    assert function["Timeout"] == 300
    [adapter] = [one["Fn::Sub"] for one in function["Layers"] if "Fn::Sub" in one]
    assert ":753240598075:layer:" in adapter[0]
    assert adapter[1] == {"Layer": f"LambdaAdapterLayer{layer}:30"}


def test_classify_starts_from_a_snapshot_and_the_api_calls_its_alias(deployment, api):
    resources = deployment().resources
    assert resources["ClassifyFunction"]["Properties"]["SnapStart"] == {"ApplyOn": "PublishedVersions"}
    assert resources["ClassifyFunctionAliaslive"]["Properties"]["Name"] == "live"
    integration = api["paths"]["/classify"]["post"]["x-amazon-apigateway-integration"]
    assert "${ClassifyFunctionAliaslive}/invocations" in integration["uri"]["Fn::Sub"]


def test_a_new_value_or_layer_publishes_a_new_version_of_classify(translated):
    resources = translated["Resources"]
    [version] = [one for one in resources.values() if one["Type"] == "AWS::Lambda::Version"]
    assert version["Properties"]["Description"] == {"Fn::Sub": "settings ${ClassifySettings}"}
    function = references({k: v for k, v in resources["ClassifyFunction"]["Properties"].items() if k != "Role"})
    about = {"AWS::NoValue", "ReservedConcurrency", "ClassifyLogGroup"}  # not part of a version
    assert references(resources["ClassifySettings"]["Properties"]["Content"]) == function - about


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("parameters", DEPLOYMENTS, ids=str)
def test_a_function_carries_one_store_and_the_model_only_when_it_embeds_itself(deployment, name, parameters):
    layers = deployment(**parameters).of_type("AWS::Lambda::Function")[name]["Layers"]
    carried = [re.sub("[0-9a-f]{10}$", "", layer["Ref"]) for layer in layers if "Ref" in layer]
    expected = ["CoreLayer"]
    expected += [] if "EmbeddingUrl" in parameters else ["ModelLayer"]
    expected += ["ServerStoreLayer"] if "QdrantUrl" in parameters else ["EmbeddedStoreLayer", "IndexLayer"]
    assert carried == expected
    made = {
        re.sub("[0-9a-f]{10}$", "", layer) for layer in deployment(**parameters).of_type("AWS::Lambda::LayerVersion")
    }
    assert made == set(expected)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("parameters", DEPLOYMENTS, ids=str)
def test_the_environment_is_one_that_the_function_can_read(deployment, monkeypatch, name, parameters):
    parameters = {**parameters, **REGISTRY, "QdrantApiKeySecretArn": ARN, "LogLevel": "WARNING"}
    for variable, value in environment(deployment(**parameters), name).items():
        monkeypatch.setenv(variable, str(value))
    settings = load(FUNCTIONS[name])
    assert settings.qdrant_url == parameters.get("QdrantUrl")
    assert settings.embedding_url == parameters.get("EmbeddingUrl")
    assert settings.embedding_dimension == parameters.get("EmbeddingDimension", 3072)
    assert (settings.qdrant_api_key_secret, settings.log_level) == (ARN, "WARNING")
    assert str(settings.index_dir) == "/tmp/index"  # noqa: S108 - Lambda's only writable folder
    assert (settings.index_seed is None) is ("QdrantUrl" in parameters)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_setting_is_set_or_has_a_default_and_every_variable_is_known(deployment, name):
    known = {
        str(alias).upper()
        for group in FUNCTIONS.values()
        for field, info in group.model_fields.items()
        for alias in getattr(info.validation_alias, "choices", [field])
    }
    given = set(environment(deployment(), name))
    assert {one for one in given - known if not one.startswith("AWS_")} <= {"PYTHONPATH"}
    required = {field.upper() for field, info in FUNCTIONS[name].model_fields.items() if info.is_required()}
    assert required <= given


def test_a_reservation_is_made_only_when_asked_for(deployment):
    def reserved(**values: int) -> dict[str, object]:
        functions = deployment(**values).of_type("AWS::Lambda::Function")
        return {name: function.get("ReservedConcurrentExecutions") for name, function in functions.items()}

    assert set(reserved().values()) == {None}
    answering = dict.fromkeys(FUNCTIONS, 5) | {"IndexServicesFunction": None}
    assert reserved(ReservedConcurrency=5) == answering


def environment(deployment, name: str) -> dict[str, object]:
    return deployment.of_type("AWS::Lambda::Function")[name]["Environment"]["Variables"]


# ----------------------------------------------------------------------------------------------------- triggers


def test_the_schedule_has_retries_and_a_dead_letter_queue_it_may_write_to(deployment):
    chosen = deployment(**REGISTRY)
    [schedule] = chosen.of_type("AWS::Scheduler::Schedule").values()
    queue = {"Fn::GetAtt": ["ScheduleDeadLetterQueue", "Arn"]}
    assert schedule["State"] == "ENABLED"
    assert schedule["Name"] == {"Fn::Sub": "${AWS::StackName}-reindex"}  # else two stacks could not live side by side
    assert schedule["Target"]["DeadLetterConfig"] == {"Arn": queue}
    assert schedule["Target"]["RetryPolicy"]["MaximumRetryAttempts"] == 3
    role = schedule["Target"]["RoleArn"]["Fn::GetAtt"][0]
    grants = list(statements(chosen.resources[role]))
    assert {(grant["Action"], json.dumps(grant["Resource"])) for grant in grants} == {
        ("lambda:InvokeFunction", json.dumps({"Fn::GetAtt": ["IndexServicesFunction", "Arn"]})),
        ("sqs:SendMessage", json.dumps(queue)),
    }
    [invoke] = chosen.of_type("AWS::Lambda::EventInvokeConfig").values()
    assert invoke["DestinationConfig"]["OnFailure"]["Destination"] == queue


@pytest.mark.parametrize(
    ("parameters", "state"),
    [({}, "DISABLED"), (REGISTRY, "ENABLED"), ({**REGISTRY, "ScheduleState": "DISABLED"}, "DISABLED")],
)
def test_nothing_is_scheduled_without_a_registry(deployment, parameters, state):
    [schedule] = deployment(**parameters).of_type("AWS::Scheduler::Schedule").values()
    assert schedule["State"] == state


def test_messages_are_tried_again_and_end_in_a_dead_letter_queue(deployment):
    queues = deployment().of_type("AWS::SQS::Queue")
    [mapping] = deployment().of_type("AWS::Lambda::EventSourceMapping").values()
    function = deployment().of_type("AWS::Lambda::Function")["IndexServicesFunction"]
    assert mapping["EventSourceArn"] == {"Fn::GetAtt": ["ReindexQueue", "Arn"]}
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    redrive = queues["ReindexQueue"]["RedrivePolicy"]
    assert redrive["deadLetterTargetArn"] == {"Fn::GetAtt": ["ReindexDeadLetterQueue", "Arn"]}
    assert queues["ReindexQueue"]["VisibilityTimeout"] >= 6 * function["Timeout"]
    assert all(queue["SqsManagedSseEnabled"] for queue in queues.values())


# --------------------------------------------------------------------------------------------- rights, logs, secrets


def test_no_policy_grants_every_action_or_every_resource(deployment):
    resources = deployment(QdrantApiKeySecretArn=ARN, EmbeddingApiKeySecretArn=ARN, **REGISTRY).resources.values()
    roles = [one for one in resources if one["Type"].startswith("AWS::IAM::")]
    granted = [statement for role in roles for statement in statements(role)]
    assert granted
    assert not [action for one in granted for action in listed(one["Action"]) if "*" in action]
    assert not [target for one in granted for target in listed(one["Resource"]) if target == "*"]


def test_every_function_logs_to_a_group_with_retention(deployment):
    groups = deployment(LogRetentionDays=14).of_type("AWS::Logs::LogGroup")
    assert {group["RetentionInDays"] for group in groups.values()} == {14}
    logging = {
        name: function["LoggingConfig"] for name, function in deployment().of_type("AWS::Lambda::Function").items()
    }
    assert {one["LogFormat"] for one in logging.values()} == {"JSON"}
    assert {one["LogGroup"]["Ref"] for one in logging.values()} | {"ApiLogGroup"} == set(groups)


def test_secrets_are_read_by_the_functions_and_only_their_arns_are_passed(deployment, translated):
    chosen = deployment(QdrantApiKeySecretArn=ARN)
    [policy] = [
        statement
        for one in chosen.resources.values()
        if "ManagedPolicy" in one["Type"]
        for statement in statements(one)
    ]
    assert policy["Action"] == ["secretsmanager:GetSecretValue", "ssm:GetParameter"]
    assert policy["Resource"] == [ARN]
    assert "{{resolve:" not in json.dumps(translated)
    for name in FUNCTIONS:
        assert not {one for one in environment(chosen, name) if one.endswith("_API_KEY")}
        assert {"Ref": "ReadSecretsPolicy"} in role_of(chosen, name)["ManagedPolicyArns"]
        assert {"Ref": "ReadSecretsPolicy"} not in role_of(deployment(), name)["ManagedPolicyArns"]


@pytest.mark.parametrize("parameter", ["QdrantApiKeySecretArn", "EmbeddingApiKeySecretArn"])
def test_a_key_itself_is_no_valid_parameter(translated, parameter):
    allowed = translated["Parameters"][parameter]["AllowedPattern"]
    assert re.search(allowed, "")
    assert re.search(allowed, ARN)
    assert re.search(allowed, "arn:aws:ssm:eu-north-1:123456789012:parameter/tool-classifier/qdrant")
    assert not re.search(allowed, "sk-0123456789abcdef")


def role_of(deployment, name: str) -> dict:
    return deployment.of_type("AWS::IAM::Role")[f"{name}Role"]


# --------------------------------------------------------------------------------------- parameters, outputs, configs


@pytest.mark.parametrize(
    ("parameters", "refused"),
    [
        ({}, ()),
        ({**SERVER, **REMOTE, "Architecture": "arm64"}, ()),
        ({"AuthMode": "JWT"}, ("JwtUserPoolArn",)),
        (REMOTE, ("QdrantUrl",)),
        ({"Architecture": "arm64"}, ("EmbeddingUrl",)),
    ],
)
def test_combinations_that_cannot_work_are_refused_before_anything_is_made(deployment, parameters, refused):
    reasons = deployment(**parameters).refusals
    assert len(reasons) == len(refused)
    assert all(word in reason for word, reason in zip(refused, reasons, strict=True))


def test_every_parameter_has_a_default_and_says_what_it_is_in_the_docs(translated):
    page = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    for name, parameter in translated["Parameters"].items():
        assert "Default" in parameter
        assert parameter["Description"]
        assert f"`{name}`" in page
    groups = translated["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert {name for group in groups for name in group["Parameters"]} == set(translated["Parameters"])


def test_every_url_is_an_output(deployment):
    assert {
        "ApiUrl",
        "ClassifyUrl",
        "OrchestrateUrl",
        "OrchestrateStreamUrl",
        "StreamFunctionUrl",
        "ServicesUrl",
        "HealthUrl",
        "ReindexQueueUrl",
    } <= deployment().outputs


def test_samconfig_has_three_environments_whose_parameters_exist(deployment):
    configs = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
    assert configs.pop("version") == 0.1
    assert set(configs) == {"default", "staging", "prod"}
    for config in configs.values():
        deploy = config["deploy"]["parameters"]
        assert (deploy["capabilities"], deploy["resolve_s3"]) == ("CAPABILITY_IAM", True)
        values = dict(override.split("=", 1) for override in deploy.get("parameter_overrides", []))
        assert deployment(**values).refusals == []
    assert len({config["global"]["parameters"]["stack_name"] for config in configs.values()}) == 3


def test_requests_http_shows_every_route():
    text = (ROOT / "docs" / "requests.http").read_text(encoding="utf-8")
    shown = re.findall(r"^([A-Z]+) \{\{api\}\}(/[^?\s]+)", text, re.MULTILINE)
    of_one_service = re.compile("^/services/(?!index$).+")
    assert {(verb.lower(), of_one_service.sub("/services/{service_id}", path)) for verb, path in shown} == app_routes()
