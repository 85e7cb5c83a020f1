"""Who may ask, from where, and what a browser may do with the answer: checked before any route is looked at."""

from __future__ import annotations

import hmac
import socket
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tiebreak.web.messages import Problem
from tiebreak.web.settings import Settings, is_loopback

COOKIE = "tiebreak"
TOKEN = "x-tiebreak-token"
"""The header with which a page or a program shows the token of changes."""
_READING = ("GET", "HEAD", "OPTIONS")
_OPEN = ("/health", "/signin")
"""Answered without a token: whether it lives, and where the token is asked for."""
_NEVER_LINKED = ("/api/", "/kept/")
"""Asked by our own pages and by programs alone: a page of another site could let children work by a picture there."""
POLICY = "; ".join(
    [
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "font", "connect", "frame")),
        "img-src 'self' data: blob:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
"""What pages of ours may do: their own scripts and styles, nothing inline, nothing from elsewhere."""
KEPT_POLICY = "sandbox allow-scripts allow-downloads; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
"""What a written report may do beside what it says itself: it has no origin, so that it cannot ask the server."""
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Safety:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on; every answer gets the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        await (refused or self.app)(scope, receive, _with_headers(scope, send))

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        try:
            check_host(headers.get("host", ""), self.settings)
            if scope["method"] not in _READING or scope["path"].startswith(_NEVER_LINKED):
                check_origin(headers)
            if self.settings.token and scope["path"] not in _OPEN and not scope["path"].startswith("/assets/"):
                check_token(headers, self.settings)
        except Problem as problem:
            if problem.status == 401 and "text/html" in headers.get("accept", "") and scope["method"] == "GET":
                return RedirectResponse(_signin(scope), status_code=303)
            return JSONResponse(problem.to_dict(), status_code=problem.status, headers=problem.headers)
        return None


def _signin(scope: Scope) -> str:
    """Return where the token is asked for, with the page to go to then: a kept address leads to what it names."""
    query = scope["query_string"].decode("latin-1")
    wanted = scope["path"] + (f"?{query}" if query else "")
    return "/signin" if wanted == "/" else f"/signin?{urlencode({'to': wanted})}"


def check_host(host: str, settings: Settings) -> None:
    """Refuse a name that is not ours: a page elsewhere can make its own name point here, but not change it.

    Addresses in figures cannot be pointed elsewhere, and are let through where the server is open to others.
    """
    name = urlsplit(f"//{host}").hostname or ""
    texts = {text.lower() for text in (*settings.names, settings.host)}
    if name in texts or is_loopback(name):
        return
    if not settings.local and (_is_address(name) or name == socket.gethostname().lower()):
        return
    raise Problem(
        421,
        "wrong-host",
        "This server is asked for under a name that is not its own.",
        why="A page elsewhere could reach it that way.",
        mend="Use http://127.0.0.1, or start the server with --allow-host NAME.",
    )


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def check_origin(headers: Headers) -> None:
    """Refuse a request that changes or computes something and comes from a page of somebody else."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    foreign = site not in (None, "same-origin", "none")
    if origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
        foreign = True
    if foreign:
        raise Problem(
            403,
            "cross-site",
            "The request comes from a page of another site.",
            why="Such a page could act in your name.",
            mend="Ask from the pages of this server, or from a program without an Origin header.",
        )


def check_token(headers: Headers, settings: Settings) -> None:
    """Refuse whoever does not show the token, as a bearer, in the header of changes or in the cookie."""
    given = [headers.get("authorization", "").removeprefix("Bearer "), headers.get(TOKEN, ""), _cookie(headers)]
    if not any(same(name, settings.token) for name in given):
        raise Problem(
            401,
            "no-token",
            "This server answers only to those who show its token.",
            mend="Sign in at /signin, or send the header Authorization: Bearer TOKEN.",
        )


def check_change(headers: Headers, settings: Settings) -> None:
    """Refuse a change without the token of changes, which pages of this server have and others cannot read."""
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    if not any(same(name, settings.change_token) for name in (headers.get(TOKEN, ""), bearer)):
        raise Problem(
            403,
            "no-change-token",
            "This request changes something and does not show the token for it.",
            mend="Send the header X-Tiebreak-Token with the token that the server printed when it started.",
        )


def _cookie(headers: Headers) -> str:
    try:
        held = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return held[COOKIE].value if COOKIE in held else ""


def same(given: str, wanted: str) -> bool:
    """Compare two secrets in a time that tells nothing."""
    return hmac.compare_digest(given.encode("utf-8", errors="replace"), wanted.encode())


def _with_headers(scope: Scope, send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _ALWAYS.items():
                headers.setdefault(name, value)
            headers.setdefault("Content-Security-Policy", POLICY)
            if not scope["path"].startswith("/assets/"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sent
