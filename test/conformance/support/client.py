"""What the Python halves of the conformance tests share.

    from client import answer, as_user, refusal, start

    given = start()                  # the object that runPython() was called with
    gl = as_user(given["token"])     # python-gitlab, logged in
    answer({"name": gl.user})        # what runPython() answers
"""

import json
import sys

import gitlab

_given = {}


def start():
    """Reads what the test gives: at least "url", the address of the coordinator."""
    _given.update(json.load(sys.stdin))
    return _given


def as_user(token, **settings):
    """A client with a personal access token; extra settings go to gitlab.Gitlab. No retries: an error is an error."""
    return gitlab.Gitlab(_given["url"], private_token=token, retry_transient_errors=False, **settings)


def as_job(token):
    """A client with the token of a job."""
    return gitlab.Gitlab(_given["url"], job_token=token, retry_transient_errors=False)


def refusal(call):
    """Makes the call, which must be refused, and tells how the client understood that."""
    try:
        call()
    except gitlab.exceptions.GitlabError as error:
        return {
            "kind": type(error).__name__,
            "status": error.response_code,
            "message": error.error_message,
        }
    raise AssertionError("the call was not refused")


def answer(result):
    """Hands the result to the test, once, at the end."""
    json.dump(result, sys.stdout)
