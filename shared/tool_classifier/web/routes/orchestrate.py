"""`POST /orchestrate` (one JSON answer) and `POST /orchestrate/stream` (server-sent events)."""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from fastapi import APIRouter, Response

from tool_classifier.errors import ServiceIndexError, ToolClassifierError
from tool_classifier.index import ServiceIndex
from tool_classifier.models import Answer, Classification, Query, Trace
from tool_classifier.web.event_stream import EventStream
from tool_classifier.web.schemas import ClassificationBody, OrchestrateRequest, OrchestrateResponse, digest_of
from tool_classifier.web.sse import Frames, paced
from tool_classifier.workflows.chain import Chain
from tool_classifier.workflows.replies import REPLIES

_LOG = logging.getLogger(__name__)


def orchestrate_routes(*, chain: Chain, index: ServiceIndex, default_language: str) -> APIRouter:
    """The answer to a message."""
    router = APIRouter(tags=["answers"])

    @router.post("/orchestrate")
    async def orchestrate(body: OrchestrateRequest) -> OrchestrateResponse:
        """The answer in one piece. A technical error is an answer too, with every flag false."""
        query, trace = body.to_query(default_language), Trace()
        try:
            earlier = await _confirmed(body.classification, query, index)
            answer = await (await chain.answer(query, trace, earlier)).complete()
        except ToolClassifierError as error:
            _LOG.exception("orchestrate failed", extra={"code": error.code})
            return OrchestrateResponse.failed(REPLIES[query.language].technical_error, trace, chat_id=body.chat_id)
        return OrchestrateResponse.of(answer, trace, chat_id=body.chat_id, explain=body.explain)

    @router.post("/orchestrate/stream", response_class=Response, responses={200: _STREAM})
    async def stream(body: OrchestrateRequest) -> Response:
        """The answer as it is produced, as server-sent events; the last content is END, also after an error."""
        query = body.to_query(default_language)
        frames = Frames(body.chat_id)

        async def answered() -> AsyncGenerator[bytes]:
            earlier = await _confirmed(body.classification, query, index)
            async with aclosing(_contents(await chain.answer(query, Trace(), earlier), frames)) as contents:
                async for frame in contents:
                    yield frame

        return EventStream(
            paced(answered()),
            when_failed=lambda: frames.content(REPLIES[query.language].technical_error),
            last=frames.end,
        )

    return router


async def _contents(answer: Answer, frames: Frames) -> AsyncGenerator[bytes]:
    yield frames.content(answer.content, answer.buttons)
    if answer.rest is not None:
        async for part in answer.rest:
            yield frames.content(part)


async def _confirmed(earlier: ClassificationBody | None, query: Query, index: ServiceIndex) -> Classification | None:
    """An earlier classification with definitions from the index.

    None, and so a new one, when it was made for another message or names a service that is not indexed (any more).
    """
    if earlier is None or earlier.query_digest != digest_of(query):
        return None
    try:
        services = await index.services(earlier.service_ids)
    except ServiceIndexError:
        return None
    return earlier.to_domain(services) if len(services) == len(set(earlier.service_ids)) else None


_STREAM = {
    "description": "Frames of one line `data: {json}` and a blank line each. The JSON has `chatId`, `payload` "
    "(`content`, and `buttons` when there are any), `timestamp` (milliseconds since the epoch, as a string) and "
    "`sentTo`. Lines that start with `:` are heartbeats. The content of the last frame is `END`.",
    "content": {
        "text/event-stream": {
            "example": 'data: {"chatId":"c1","payload":{"content":"1 EUR = 37.68 THB"},"timestamp":"1764547200000",'
            '"sentTo":[]}\n\ndata: {"chatId":"c1","payload":{"content":"END"},"timestamp":"1764547200001",'
            '"sentTo":[]}\n\n'
        }
    },
}
