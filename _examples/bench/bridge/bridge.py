"""The worker's side of package bridge: serve() speaks the protocol.

    def start(setup):                       # what the Go side sent first
        def evaluate(request):
            return {"value": (request["x"] - setup["target"]) ** 2}
        return {"version": "1.0"}, evaluate

    bridge.serve(start)

Needs Python 3.7 or later and its standard library.
"""

import importlib.util
import json
import os
import signal
import sys
import traceback


def serve(start, packages=None):
    """Answers the setup and each request, a line each, until the input ends.

    start takes the setup and returns (info, handle): what the Go side is told,
    and the function that turns a request into a result. An exception of handle
    fails that request only. packages says which package to install for each
    module that the worker imports; where one is missing, the answer is how to
    get it, and start is not called.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the Go side, which ends its workers
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints, in Python or in C, is no answer
    requests = os.fdopen(os.dup(0), encoding="utf-8")

    def answer(**message):
        answers.write(json.dumps(message, allow_nan=False) + "\n")
        answers.flush()

    setup = next(requests, None)
    if setup is None:
        return
    missing = [p for module, p in (packages or {}).items() if importlib.util.find_spec(module) is None]
    if missing:
        answer(
            error="%s has no %s" % (sys.executable, " and no ".join(missing)),
            install="%s -m pip install %s" % (sys.executable, " ".join(missing)),
        )
        return
    try:
        info, handle = start(json.loads(setup))
        answer(result=info)
    except Exception as e:
        answer(error=describe(e))
        return
    for line in requests:
        try:
            answer(result=handle(json.loads(line)))
        except Exception as e:
            traceback.print_exc()
            answer(error=describe(e))


def describe(e):
    return "%s: %s" % (type(e).__name__, e)
