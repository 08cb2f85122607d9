"""The domain: what a query, a service and an answer are. Frozen values, no I/O, no third-party types.

Read in this order to follow a query: Query -> Classification (with its Candidates) -> IntentResult -> Validation
-> ServiceRequest -> Answer. The Trace accompanies the query and records why things went the way they did.
"""

import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum


class WorkflowName(StrEnum):
    """The four layers of the chain, in the order in which they are tried."""

    SERVICE = "SERVICE"
    CONTEXT = "CONTEXT"
    RAG = "RAG"
    OOD = "OOD"


class Outcome(StrEnum):
    """What classification says about a query."""

    HIGH_CONFIDENCE = "high-confidence"
    AMBIGUOUS = "ambiguous"
    NON_SERVICE = "non-service"


class Rule(StrEnum):
    """The rule that decided a classification; part of the explanation shown to editors."""

    NO_WORDS = "no-words"
    BELOW_MINIMUM = "below-minimum"
    CLEAR_WINNER = "clear-winner"
    BELOW_HIGH = "below-high"
    SMALL_GAP = "small-gap"


class HttpMethod(StrEnum):
    """Methods a registered service can be called with."""

    GET = "GET"
    POST = "POST"


class EntityType(StrEnum):
    """Types that the local extractors understand; anything else is text."""

    TEXT = "text"
    NUMBER = "number"
    CURRENCY = "currency"
    DATE = "date"
    PLACE = "place"


class Role(StrEnum):
    """Who said a turn of the conversation."""

    USER = "user"
    BOT = "bot"


# --------------------------------------------------------------------------------------------- what is registered


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A named value that a service takes. Its position in the service's list is its position in the call."""

    name: str
    type: EntityType = EntityType.TEXT
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A registered HTTP endpoint with the example questions that an editor wrote for it."""

    id: str
    name: str
    description: str = ""
    method: HttpMethod = HttpMethod.POST
    entities: tuple[Entity, ...] = ()
    examples: tuple[str, ...] = ()
    is_common: bool = False
    active: bool = True
    context: str = ""


# ------------------------------------------------------------------------------------------------------ the query


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One earlier message of the conversation."""

    role: Role
    message: str
    timestamp: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The user's message, normalised (see text.normalise), with what is known about the conversation.

    `language` is a two-letter code. `has_words` is false for empty, punctuation-only and emoji-only text.
    """

    text: str
    language: str
    has_words: bool = True
    chat_id: str = ""
    author_id: str = ""
    history: tuple[Turn, ...] = ()


# ------------------------------------------------------------------------------------------------- classification


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A service that may be meant.

    `score` is the similarity of the service's best point to the query (-1..1; None when it was never searched for),
    `fused` its hybrid RRF score, `best_example` the text of that best point.
    """

    service: Service
    score: float | None = None
    fused: float | None = None
    best_example: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Where classification draws its lines, and the name of the profile that they come from."""

    profile: str
    minimum: float
    high: float
    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassificationMetadata:
    """The evidence. Score, gap and `matched_service_id` always speak of the same service."""

    outcome: Outcome
    rule: Rule
    matched_service_id: str | None
    cosine: float | None
    gap: float | None
    needs_llm_confirmation: bool
    thresholds: Thresholds
    top_results: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """Which workflow a query starts at, how sure we are (0..1) and why.

    `metadata` is None when the index could not be asked: the SERVICE workflow then falls back to discovery.
    """

    workflow: WorkflowName
    confidence: float
    reasoning: str
    metadata: ClassificationMetadata | None = None


# --------------------------------------------------------------------------------------------- intent and entities


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentResult:
    """A detector's verdict: one of the candidates or none, with entity values by entity name."""

    matched_service_id: str | None
    confidence: float
    entities: Mapping[str, str] = field(default_factory=dict)
    reasoning: str = ""
    detector: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """Entity values checked against a service's declaration. Lenient: `is_valid` stays true, gaps are listed."""

    values: Mapping[str, str]
    missing_entities: tuple[str, ...] = ()
    extra_entities: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    is_valid: bool = True


# ----------------------------------------------------------------------------------------------------- the call


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRequest:
    """One HTTP call to a registered service; `input` holds the entity values in the service's order."""

    method: HttpMethod
    url: str
    chat_id: str
    author_id: str
    input: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A choice offered to the user; `payload` is sent back when it is chosen."""

    title: str
    payload: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceReply:
    """The usable part of a service's answer."""

    content: str
    buttons: tuple[Button, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the user gets. `service_id` and `entities` are set when a service answered.

    `rest` yields what follows `content` while it is still being produced; None when `content` is the whole answer.
    """

    workflow: WorkflowName
    content: str
    language: str
    buttons: tuple[Button, ...] = ()
    service_id: str | None = None
    entities: Mapping[str, str] = field(default_factory=dict)
    rest: AsyncIterator[str] | None = None

    async def complete(self) -> "Answer":
        """The answer in one piece; waits for `rest` and raises what it raises."""
        if self.rest is None:
            return self
        parts = [self.content, *[part async for part in self.rest]]
        return replace(self, content="".join(parts), rest=None)


# ------------------------------------------------------------------------------------------------ usage and trace


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentUsage:
    """What one component spent on LLM calls. `cost_usd` is None when a model's price is unknown, never 0."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0


@dataclass(slots=True)
class Usage:
    """LLM usage of one query by component (`intent_detection`, ...). Empty when no LLM was called."""

    components: dict[str, ComponentUsage] = field(default_factory=dict)

    def add(self, component: str, spent: ComponentUsage) -> None:
        """Adds one call's usage; an unknown cost makes the component's cost unknown."""
        before = self.components.get(component, ComponentUsage())
        known = before.cost_usd is not None and spent.cost_usd is not None
        self.components[component] = ComponentUsage(
            calls=before.calls + spent.calls,
            input_tokens=before.input_tokens + spent.input_tokens,
            output_tokens=before.output_tokens + spent.output_tokens,
            cost_usd=(before.cost_usd or 0.0) + (spent.cost_usd or 0.0) if known else None,
        )

    @property
    def llm_calls(self) -> int:
        """Calls over all components."""
        return sum(spent.calls for spent in self.components.values())

    @property
    def cost_usd(self) -> float | None:
        """Cost over all components in US dollars; None when any of them is unknown."""
        costs = [spent.cost_usd for spent in self.components.values()]
        return None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Wall-clock time of one step, in seconds."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One workflow's turn in the chain: whether it answered, and why or why not."""

    workflow: WorkflowName
    answered: bool
    reason: str


@dataclass(slots=True)
class Trace:
    """The one mutable value: a query's log book, written by each step, read by people and by `--explain`."""

    stages: list[Stage] = field(default_factory=list)
    hops: list[Hop] = field(default_factory=list)
    classification: Classification | None = None
    candidates: Sequence[Candidate] = ()
    intent: IntentResult | None = None
    validation: Validation | None = None
    request: ServiceRequest | None = None
    reply: ServiceReply | None = None
    usage: Usage = field(default_factory=Usage)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Times a step, also when it raises."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.stages.append(Stage(name=name, seconds=time.perf_counter() - start))

    def hop(self, workflow: WorkflowName, *, answered: bool, reason: str) -> None:
        """Records that a workflow answered or passed, and why."""
        self.hops.append(Hop(workflow=workflow, answered=answered, reason=reason))
