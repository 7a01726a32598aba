"""Runs cases in the real NeMo Guardrails: a case a line on the standard input, what came of it a line on the standard output."""
import asyncio
import json
import logging
import os
import ssl
import sys
import warnings

for name, value in {
    "NEMO_GUARDRAILS_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "OPENAI_API_KEY": "k",
}.items():
    os.environ.setdefault(name, value)
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

# Each engine would read the certificates of this machine anew, for tenths of a second. No request needs them.
certificates = ssl.create_default_context()
ssl.create_default_context = lambda *_, **__: certificates

# What a library prints must not stand between the answers.
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

import per_tool_model
from nemoguardrails import RailsConfig
from nemoguardrails.guardrails.iorails import IORails
from nemoguardrails.rails.llm.options import RailType

DIRECTIONS = {
    "is_input_safe": "input",
    "is_output_safe": "output",
    "are_tool_calls_safe": "tool_call",
    "are_tool_results_safe": "tool_result",
}


def watch(engine, found):
    """Keeps each unsafe verdict that the rails of the engine give."""
    for name, direction in DIRECTIONS.items():
        inner = getattr(engine.rails_manager, name)

        async def outer(*args, inner=inner, direction=direction, **named):
            verdict = await inner(*args, **named)
            if not verdict.is_safe:
                found.append(
                    {
                        "kind": direction,
                        "reason": getattr(verdict, "reason", None),
                        "rail": getattr(verdict, "triggered_rail", None),
                        "failed": bool(getattr(verdict, "failed", False)),
                    }
                )
            return verdict

        setattr(engine.rails_manager, name, outer)


async def checked(engine, case):
    types = case.get("railTypes")
    result = await engine.check_async(
        case["messages"], rail_types=None if types is None else [RailType(each) for each in types]
    )
    return {"outcome": result.status.value, "content": result.content, "rail": result.rail}


def calls_in(calls):
    asked = [(call["function"]["name"], call["function"]["arguments"]) for call in calls or []]
    return [[name, json.loads(given) if isinstance(given, str) else given] for name, given in asked]


async def generated(engine, case):
    result = await engine.generate_async(messages=case["messages"], options=case.get("options"))
    if isinstance(result, dict):
        return {"outcome": "passed", "content": result.get("content")}
    calls = calls_in(result.tool_calls)
    return {"outcome": "passed", "content": result.response[-1].get("content") or "", "calls": calls}


def member_of(chunk, name):
    """A chunk is a text, or an object as a text."""
    try:
        value = json.loads(chunk)
    except ValueError:
        return None
    return value.get(name) if isinstance(value, dict) else None


async def streamed(engine, case):
    texts = []
    calls = []
    outcome = "passed"
    options = case.get("options")
    async for chunk in engine.stream_async(messages=case["messages"], options=options):
        error = member_of(chunk, "error")
        if error is not None:
            outcome = "blocked" if error["type"] == "guardrails_violation" else "error"
            break
        asked = member_of(chunk, "tool_calls")
        if asked is None:
            texts.append(chunk)
        else:
            calls = calls_in(asked)
    return {"outcome": outcome, "content": "".join(texts), **({"calls": calls} if options else {})}


MODES = {"check": checked, "generate": generated, "stream": streamed}


async def asked(case):
    if case["id"].startswith("per-tool-"):
        return per_tool_model.run(case)
    try:
        # As it is, since YAML reads the halves of an escaped character as two.
        text = json.dumps(case["config"], ensure_ascii=False)
        config = RailsConfig.from_content(yaml_content=text)
        reason = IORails.unsupported_reason(config)
        if reason is not None:
            raise ValueError(reason)
        engine = IORails(config)
    except Exception as error:
        return {"outcome": "refused", "error": f"{type(error).__name__}: {error}"[:600]}
    found = []
    watch(engine, found)
    try:
        came = await MODES[case["mode"]](engine, case)
    except Exception as error:
        came = {"outcome": "error", "error": f"{type(error).__name__}: {error}"[:600]}
    finally:
        await engine.stop()
    if found:
        first = found[0]
        came = {**came, "outcome": "blocked", **first}
    return came


async def main():
    for line in sys.stdin:
        case = json.loads(line)
        answers.write(json.dumps({"id": case["id"], **await asked(case)}) + "\n")
        answers.flush()


asyncio.run(main())
