"""Calls of the control API: docs/control-api.md."""

import json
import urllib.error
import urllib.request

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # ignores proxies in the environment


class ControlError(Exception):
    """The server refused a control call: the text is its sentence, `status` the HTTP status."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def control(endpoint, token, method, path, body=None):
    """Makes one call: `control(endpoint, None, "POST", "clock", {"advance": "2d"})`. Returns the answer: parsed if it is
    JSON, otherwise its text. Raises ControlError when the call is refused, ConnectionError when no server answers."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{endpoint}/_hashrange/{path}", data, headers, method=method)
    try:
        with DIRECT.open(request) as answer:
            return read(answer)
    except urllib.error.HTTPError as refusal:
        answer = read(refusal)
        sentence = answer["error"] if isinstance(answer, dict) and "error" in answer else answer or refusal.reason
        raise ControlError(f"hashrange: {method} {path}: {sentence}", refusal.code) from None
    except urllib.error.URLError as problem:
        raise ConnectionError(f"hashrange: {endpoint} does not answer: {problem.reason}") from None


def end(account, path):
    """Makes a DELETE of something that may have ended by itself."""
    try:
        account.control("DELETE", path)
    except ControlError as problem:
        if problem.status != 404:
            raise


def read(answer):
    text = answer.read().decode()
    return json.loads(text) if text and answer.headers.get_content_type() == "application/json" else text
