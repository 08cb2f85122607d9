"""Bodies at the edge, as clients know them, and their translation to and from the domain."""

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import blake2b
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator
from pydantic.alias_generators import to_camel

from tool_classifier.models import (
    Answer,
    Button,
    Candidate,
    Classification,
    ClassificationMetadata,
    ComponentUsage,
    Hop,
    Outcome,
    Query,
    Role,
    Rule,
    Service,
    ServiceRequest,
    Stage,
    Thresholds,
    Trace,
    Turn,
    Usage,
    Validation,
    WorkflowName,
)
from tool_classifier.text.normalise import MAX_CHARACTERS
from tool_classifier.text.query import read_query
from tool_classifier.text.urls import without_credentials

HISTORY_LIMIT = 100

Id = Annotated[str, Field(max_length=500)]  # a limit also makes pydantic refuse lone surrogates
Text = Annotated[str, Field(max_length=MAX_CHARACTERS)]
_Score = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
_USER_ROLES = ("user", "end-user", "end_user")


def _cut(value: object) -> object:
    return value[:MAX_CHARACTERS] if isinstance(value, str) else value


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int) else value


def _newest(value: object) -> object:
    return value[-HISTORY_LIMIT:] if isinstance(value, list) else value


AuthorRole = Literal["user", "bot", "end-user", "end_user", "backoffice-user", "backoffice_user", "assistant"]


class HistoryItem(BaseModel):
    """One earlier message of the chat."""

    author_role: AuthorRole = Field(alias="authorRole")
    message: Annotated[Text, BeforeValidator(_cut)]
    timestamp: Annotated[Id, BeforeValidator(_as_text)] = ""

    def to_turn(self) -> Turn:
        """The domain's form: whoever is not the user is the bot's side."""
        role = Role.USER if self.author_role in _USER_ROLES else Role.BOT
        return Turn(role=role, message=self.message, timestamp=self.timestamp)


class CandidateBody(BaseModel):
    """A service that came into question, with its scores."""

    service_id: Id
    name: Text
    score: _Score | None = None
    fused: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    best_example: Text | None = None

    @classmethod
    def of(cls, candidate: Candidate) -> Self:
        """From the domain."""
        return cls(
            service_id=candidate.service.id,
            name=candidate.service.name,
            score=candidate.score,
            fused=candidate.fused,
            best_example=candidate.best_example,
        )


class ThresholdsBody(BaseModel):
    """Where the lines were, and the profile that they come from."""

    profile: Id
    minimum: _Score
    high: _Score
    gap: _Score

    def to_domain(self) -> Thresholds:
        """To the domain."""
        return Thresholds(profile=self.profile, minimum=self.minimum, high=self.high, gap=self.gap)


class MetadataBody(BaseModel):
    """The evidence behind a classification."""

    outcome: Outcome
    rule: Rule
    matched_service_id: Id | None = None
    cosine: _Score | None = None
    gap: Annotated[float, Field(ge=-2, le=2, allow_inf_nan=False)] | None = None
    needs_llm_confirmation: bool
    thresholds: ThresholdsBody
    top_results: list[CandidateBody] = Field(default=[], max_length=100)

    @classmethod
    def of(cls, evidence: ClassificationMetadata) -> Self:
        """From the domain."""
        return cls(
            outcome=evidence.outcome,
            rule=evidence.rule,
            matched_service_id=evidence.matched_service_id,
            cosine=evidence.cosine,
            gap=evidence.gap,
            needs_llm_confirmation=evidence.needs_llm_confirmation,
            thresholds=ThresholdsBody.model_validate(asdict(evidence.thresholds)),
            top_results=[CandidateBody.of(candidate) for candidate in evidence.top_results],
        )

    def to_domain(self, services: Sequence[Service]) -> ClassificationMetadata:
        """To the domain; results that speak of none of `services` are left out."""
        known = {service.id: service for service in services}
        return ClassificationMetadata(
            outcome=self.outcome,
            rule=self.rule,
            matched_service_id=self.matched_service_id,
            cosine=self.cosine,
            gap=self.gap,
            needs_llm_confirmation=self.needs_llm_confirmation,
            thresholds=self.thresholds.to_domain(),
            top_results=tuple(
                Candidate(
                    service=known[result.service_id],
                    score=result.score,
                    fused=result.fused,
                    best_example=result.best_example,
                )
                for result in self.top_results
                if result.service_id in known
            ),
        )


class ClassificationBody(BaseModel):
    """What `/classify` returns and `/orchestrate` accepts back, so that the work is not done twice."""

    workflow: WorkflowName
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    reasoning: Text
    query_digest: Id = ""
    metadata: MetadataBody | None = None

    @classmethod
    def of(cls, classification: Classification, query: Query | None = None) -> Self:
        """From the domain; `query` is the one that was classified."""
        evidence = classification.metadata
        return cls(
            workflow=classification.workflow,
            confidence=classification.confidence,
            reasoning=classification.reasoning,
            query_digest=digest_of(query) if query else "",
            metadata=MetadataBody.of(evidence) if evidence else None,
        )

    @property
    def service_ids(self) -> list[str]:
        """The services it speaks of."""
        return [result.service_id for result in self.metadata.top_results] if self.metadata else []

    def to_domain(self, services: Sequence[Service]) -> Classification:
        """To the domain. Only ids and scores are taken from the client: definitions are `services`, from the index."""
        return Classification(
            workflow=self.workflow,
            confidence=self.confidence,
            reasoning=self.reasoning,
            metadata=self.metadata.to_domain(services) if self.metadata else None,
        )


class ClassifyRequest(BaseModel):
    """Body of `POST /classify`."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        json_schema_extra={"examples": [{"message": "Palju saan 1 EUR eest THBdes?"}]},
    )

    message: Text
    chat_id: Id = ""
    author_id: Id = ""
    conversation_history: Annotated[list[HistoryItem], BeforeValidator(_newest)] = []

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, body: object) -> object:
        return {key: value for key, value in body.items() if value is not None} if isinstance(body, dict) else body

    def to_query(self, default_language: str) -> Query:
        """The domain's form."""
        return read_query(
            self.message,
            default_language=default_language,
            chat_id=self.chat_id,
            author_id=self.author_id,
            history=[item.to_turn() for item in self.conversation_history],
        )


class OrchestrateRequest(ClassifyRequest):
    """Body of `POST /orchestrate`: what Bürokratt's chat clients send, and `classification` and `explain` of ours."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "chatId": "b7a7e8a2-4d0f-4f3c-9c52-1f0a3c1f7f11",
                    "message": "Palju saan 1 EUR eest THBdes?",
                    "authorId": "49f1c9d0",
                    "conversationHistory": [
                        {"authorRole": "user", "message": "Tere", "timestamp": "1764547200000"},
                        {"authorRole": "bot", "message": "Tere! Kuidas saan aidata?", "timestamp": "1764547201000"},
                    ],
                    "url": "https://www.example.ee",
                }
            ]
        }
    )

    chat_id: Id
    author_id: Id
    url: Text | None = None
    environment: Literal["production", "testing", "test", "development"] = "production"
    connection_id: Id | None = Field(None, alias="connection_id")
    classification: ClassificationBody | None = None
    explain: bool = False


class IndexRequest(BaseModel):
    """Body of `POST /services/index`; may be left out."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    dry_run: bool = False


class UsageBody(BaseModel):
    """What LLM calls were made for this query and what they cost; `cost_usd` null means unknown."""

    llm_calls: int
    cost_usd: float | None
    components: dict[str, ComponentUsage]

    @classmethod
    def of(cls, usage: Usage) -> Self:
        """From the domain."""
        return cls(llm_calls=usage.llm_calls, cost_usd=usage.cost_usd, components=usage.components)


class TraceBody(BaseModel):
    """Why the answer is what it is."""

    classification: ClassificationBody | None
    hops: list[Hop]
    candidates: list[CandidateBody]
    intent: dict[str, object] | None
    validation: Validation | None
    request: dict[str, object] | None
    stages: list[Stage]

    @classmethod
    def of(cls, trace: Trace) -> Self:
        """From the domain."""
        return cls(
            classification=ClassificationBody.of(trace.classification) if trace.classification else None,
            hops=trace.hops,
            candidates=[CandidateBody.of(candidate) for candidate in trace.candidates],
            intent=_plain(trace.intent),
            validation=trace.validation,
            request=_request(trace.request),
            stages=trace.stages,
        )


class OrchestrateResponse(BaseModel):
    """Answer of `POST /orchestrate`."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    chat_id: str
    llm_service_active: bool
    question_out_of_llm_scope: bool = Field(alias="questionOutOfLLMScope")
    input_guard_failed: bool = False
    content: str
    buttons: list[Button] | None = None
    workflow: WorkflowName | None = None
    usage: UsageBody
    trace: TraceBody | None = None

    @classmethod
    def of(cls, answer: Answer, trace: Trace, *, chat_id: str, explain: bool) -> Self:
        """From the domain."""
        return cls(
            chat_id=chat_id,
            llm_service_active=True,
            question_out_of_llm_scope=answer.workflow is WorkflowName.OOD,
            content=answer.content,
            buttons=list(answer.buttons) or None,
            workflow=answer.workflow,
            usage=UsageBody.of(trace.usage),
            trace=TraceBody.of(trace) if explain else None,
        )

    @classmethod
    def failed(cls, content: str, trace: Trace, *, chat_id: str) -> Self:
        """The answer when there is none for technical reasons."""
        return cls(
            chat_id=chat_id,
            llm_service_active=False,
            question_out_of_llm_scope=False,
            content=content,
            usage=UsageBody.of(trace.usage),
        )


class AskReport(BaseModel):
    """What `tool-classifier ask --json` prints."""

    workflow: WorkflowName
    content: str
    buttons: list[Button] | None
    service_id: str | None
    entities: dict[str, str]
    language: str
    usage: UsageBody
    trace: TraceBody

    @classmethod
    def of(cls, answer: Answer, trace: Trace) -> Self:
        """From the domain."""
        return cls(
            workflow=answer.workflow,
            content=answer.content,
            buttons=list(answer.buttons) or None,
            service_id=answer.service_id,
            entities=dict(answer.entities),
            language=answer.language,
            usage=UsageBody.of(trace.usage),
            trace=TraceBody.of(trace),
        )


def digest_of(query: Query) -> str:
    """Ties a classification to the message that it was made for, without repeating the message."""
    return blake2b(query.text.encode(), digest_size=16).hexdigest()


def _request(request: ServiceRequest | None) -> dict[str, object] | None:
    shown = _plain(request)
    return shown and shown | {"url": without_credentials(str(shown["url"]))}


def _plain(value: object) -> dict[str, object] | None:
    if value is None:
        return None
    plain: dict[str, object] = TypeAdapter(type(value)).dump_python(value, mode="json")
    return plain
