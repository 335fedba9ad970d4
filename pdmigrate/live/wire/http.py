"""The streamable HTTP transport: one POST for each message, answered in JSON or as a stream of events."""

from __future__ import annotations

import contextlib
import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from pdmigrate.live.wire import messages
from pdmigrate.live.wire.errors import BadAnswerError, NoAnswerError, ServerEndedError, UnreachableError
from pdmigrate.model import JsonObject

MAX_BODY = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HttpTarget:
    """A running server that speaks streamable HTTP at ``url``; ``headers`` go with every request."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.url


def chunks(body: http.client.HTTPResponse, deadline: float) -> Iterator[bytes]:
    """The body as it arrives.  The time is checked between reads, so that a slow trickle does not go on for ever.

    Raises NoAnswerError if the body goes on after ``deadline`` (of the monotonic clock) and BadAnswerError if the body
    is longer than ``MAX_BODY``.
    """
    size = 0
    while chunk := body.read1(65536):
        size += len(chunk)
        if size > MAX_BODY:
            raise BadAnswerError(f"the server's answer is longer than {MAX_BODY} bytes")
        yield chunk
        if time.monotonic() > deadline:
            raise NoAnswerError("the server did not finish its answer in time")


def events(body: http.client.HTTPResponse, deadline: float) -> Iterator[bytes]:
    """The data of each event of a stream; comments, which keep the stream alive, and other fields are skipped.

    Raises NoAnswerError and BadAnswerError, as ``chunks`` does.
    """
    data: list[bytes] = []
    for line in messages.lines(chunks(body, deadline), MAX_BODY):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data = []


MAX_REDIRECTS = 5
CLOSING = 5.0
_REDIRECTS = (301, 302, 307, 308)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Hand on every response: errors carry messages, and urllib would turn a redirected POST into a GET."""

    def http_response(
        self,
        request: urllib.request.Request,  # noqa: ARG002 - the signature is urllib's
        response: http.client.HTTPResponse,
    ) -> http.client.HTTPResponse:
        return response

    https_response = http_response


class HttpTransport:
    """A running server at a URL.  Nothing is sent before the first request."""

    def __init__(self, target: HttpTarget) -> None:
        parts = urllib.parse.urlsplit(target.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UnreachableError(f"{target.url!r} is not an http or https URL")
        self._url = target.url
        self._extra = dict(target.headers)
        self.session_id: str | None = None
        self._headers: Mapping[str, str] = {}
        direct = [urllib.request.ProxyHandler({})] if parts.hostname in _LOOPBACK else []
        self._opener = urllib.request.build_opener(_AsItIs(), *direct)

    @property
    def has_sessions(self) -> bool:
        """Whether the server gave this client a session id; a stateless server does not."""
        return self.session_id is not None

    def request(self, message: JsonObject, *, headers: Mapping[str, str], timeout: float) -> JsonObject:
        """The answer to ``message``, which carries an ``id``.

        Raises NoAnswerError if the answer is not complete within ``timeout`` seconds, and ServerEndedError,
        BadAnswerError or UnreachableError as their names say.
        """
        method = str(message.get("method"))
        deadline = time.monotonic() + timeout
        self._headers = headers
        with self._post(message, headers, timeout) as response:
            if method == "initialize":
                self.session_id = response.headers.get("Mcp-Session-Id")
            for found in self._messages(response, deadline):
                if messages.is_request(found):
                    self.notify(messages.reply(found), headers=headers, timeout=timeout)
                # An error that a server gives before it has read the message lacks the message's id.
                elif messages.is_answer(found) and (found.get("id") == message["id"] or response.status >= 400):
                    return found
            self._refuse(response, method)
        raise ServerEndedError(f"the server closed its answer to {method} without a result")

    def notify(self, message: JsonObject, *, headers: Mapping[str, str], timeout: float) -> None:
        """Send ``message``.  Raises NoAnswerError or UnreachableError if the server does not accept it."""
        with self._post(message, headers, timeout) as response:
            self._refuse(response, str(message.get("method", "an answer")))

    def close(self) -> None:
        """End the session.  It does not matter if the server does not support that, or is gone."""
        if self.session_id is None:
            return
        headers = {**self._headers, "Mcp-Session-Id": self.session_id, **self._extra}
        request = urllib.request.Request(self._url, method="DELETE", headers=headers)
        self.session_id = None
        with (
            contextlib.suppress(OSError, http.client.HTTPException),
            closing(self._opener.open(request, timeout=CLOSING)),
        ):
            return

    @contextmanager
    def _post(
        self, message: JsonObject, headers: Mapping[str, str], timeout: float
    ) -> Iterator[http.client.HTTPResponse]:
        sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
        if self.session_id is not None:
            sent["Mcp-Session-Id"] = self.session_id
        sent.update(self._extra)
        with self._problems(str(message.get("method", "an answer")), timeout):
            for _ in range(MAX_REDIRECTS + 1):
                request = urllib.request.Request(self._url, messages.encode(message), sent, method="POST")
                response: http.client.HTTPResponse = self._opener.open(request, timeout=timeout)
                with closing(response):
                    if response.status not in _REDIRECTS:
                        yield response
                        return
                    self._url = self._redirected(response.headers.get("Location"))
            raise UnreachableError(f"{self._url} redirects more than {MAX_REDIRECTS} times")

    @contextmanager
    def _problems(self, method: str, timeout: float) -> Iterator[None]:
        """Turn errors of the network into the errors of this package."""
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            if isinstance(reason, TimeoutError):
                raise NoAnswerError(f"the server did not answer {method} within {timeout:g} s") from error
            if isinstance(error, urllib.error.URLError):
                why = getattr(reason, "strerror", None) or reason
                raise UnreachableError(f"{self._url} cannot be reached: {why}") from error
            raise ServerEndedError(
                f"the connection broke during {method}: {str(error) or type(error).__name__}"
            ) from error

    def _redirected(self, location: str | None) -> str:
        """Where a redirect leads: not to another host, since headers may hold credentials."""
        url = urllib.parse.urljoin(self._url, location or "")
        old, new = urllib.parse.urlsplit(self._url), urllib.parse.urlsplit(url)
        upgraded = (old.scheme, new.scheme) == ("http", "https") and old.hostname == new.hostname
        if not location or not (upgraded or (old.scheme, old.netloc) == (new.scheme, new.netloc)):
            raise UnreachableError(
                f"{self._url} redirects to {location or 'nowhere'}", hint="give that URL if it is right"
            )
        return url

    def _messages(self, response: http.client.HTTPResponse, deadline: float) -> Iterator[JsonObject]:
        kind = (response.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            bodies = events(response, deadline)
        else:
            bodies = iter((b"".join(chunks(response, deadline)),))
        for body in bodies:
            found = messages.decode(body)
            if found is None:
                text = body[:200].decode("utf-8", "replace")
                self._refuse(response, said=" ".join(text.split()))
                told = f"the server at {self._url} answers with something that is not a JSON-RPC message"
                raise BadAnswerError(f"{told} ({kind}): {text!r}")
            yield from found

    def _refuse(self, response: http.client.HTTPResponse, method: str = "", said: str = "") -> None:
        """Raise ``UnreachableError`` if the server turns the client away."""
        status = response.status
        if status >= 400:
            about = " ".join(filter(None, ("answers", method, f"with HTTP status {status}", said and repr(said))))
            hint = "give the header that the server asks for, with --header NAME:VALUE" if status in (401, 403) else ""
            raise UnreachableError(f"{self._url} {about}", hint=hint)
