"""The rails of single tools as the documents of NeMo Guardrails 0.25 have them, which is not to be had here.

Written from that description alone, with Python's `re` and `json`, the package `jsonschema` and the CEL that NeMo
evaluates with. It knows nothing of the engine that it is compared with.
"""
import json
import re

import cel
import jsonschema

CALL_NAMES = {"call", "tool call", "output", "tool output"}


class Failure(Exception):
    """A rail could not decide."""


def section_of(config, family):
    return (config["rails"].get(family) or {})


def kind_of(flow):
    name, *parameters = re.split(r"\s+\$", flow)
    given = dict(each.split("=", 1) for each in parameters)
    for kind in ("regex check", "cel check", "tool safety check"):
        if name.startswith(kind + " "):
            return kind, given
    raise ValueError(flow)


def declared(case):
    """The tools of the request; without any, those of the main model."""
    asked = ((case.get("options") or {}).get("llm_params") or {}).get("tools")
    own = case["config"]["models"][0]["parameters"].get("tools")
    return {each["function"]["name"]: each["function"].get("parameters") for each in [*(own or []), *(asked or [])]}


def active(case, family):
    toggle = ((case.get("options") or {}).get("rails") or {}).get(family)
    return toggle is not False


def gate(case, call):
    """What blocks a call before any rail of its tool; None if nothing does."""
    tools = declared(case)
    name = call["function"]["name"]
    if name not in tools:
        return "tool_not_allowed"
    arguments = json.loads(call["function"]["arguments"])
    schema = tools[name]
    if schema is None:
        return "unexpected_arguments" if arguments else None
    if list(jsonschema.Draft202012Validator(schema).iter_errors(arguments)):
        return "arguments_invalid"
    return None


OPEN = ("patternProperties", "anyOf", "oneOf", "allOf", "$ref")


def can_have(schema, name):
    if not isinstance(schema, dict):
        return False
    if name in schema.get("properties", {}):
        return True
    return schema.get("additionalProperties") is not False or any(key in schema for key in OPEN)


def regex(case, family, tool, given, subject):
    options = case["config"]["rails"]["config"]["regex_detection"][family].get(tool, {})
    judged = subject["args"] if family == "tool_call" else subject["content"]
    argument = given.get("argument")
    if argument is not None:
        if not can_have(declared(case).get(tool), argument):
            raise Failure("argument")
        if argument in judged:
            judged = {argument: judged[argument]}
    texts = [judged if isinstance(judged, str) else json.dumps(judged)]
    if "each text" in case.get("rulings", []):
        texts.extend(texts_in(judged))
    flags = re.IGNORECASE if options.get("case_insensitive") else 0
    return any(re.search(pattern, text, flags) for pattern in options.get("patterns", []) for text in texts)


def texts_in(value):
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, each in value.items() for text in [key, *texts_in(each)]]
    return [text for each in value for text in texts_in(each)] if isinstance(value, list) else []


def expressions(case, family, tool, subject):
    texts = case["config"]["rails"]["config"]["cel"][family].get(tool, {}).get("expressions", [])
    variables = {"args": subject["args"], "tool": tool}
    if family == "tool_result":
        variables["result"] = subject["content"]
    answers = []
    failed = False
    for text in texts:
        try:
            answer = cel.evaluate(text, variables)
        except Exception:
            answer = None
        failed = failed or not isinstance(answer, bool)
        answers.append(answer)
    if failed:
        raise Failure("expression")
    return any(answers)


def first_words(text):
    return re.sub(r"\W+", " ", text.strip().lower()).strip().split(" ")[:2]


def is_safe(answer):
    words = first_words(answer)
    for word, safe in (("safe", True), ("unsafe", False), ("yes", False), ("no", True)):
        if word in words:
            return safe
    return False


def safety(case, family, tool, subject):
    judged = subject["args"] if family == "tool_call" else subject["content"]
    text = judged if isinstance(judged, str) else json.dumps(judged)
    script = case["script"]
    said = f"{tool}: {text}"
    bad = any(word in said for word in script["forbidden"])
    return not is_safe(script["says"][1 if bad else 0])


def judge(case, family, tool, subject):
    """The first flow that blocks a call or a result, and whether it failed; None if none does."""
    for flow in section_of(case["config"], family).get("per_tool", {}).get(tool, []):
        kind, given = kind_of(flow)
        try:
            if kind == "regex check":
                blocks = regex(case, family, tool, given, subject)
            elif kind == "cel check":
                blocks = expressions(case, family, tool, subject)
            else:
                blocks = safety(case, family, tool, subject)
        except Failure:
            return flow, "rail_failed"
        if blocks:
            return flow, "per_tool_rail"
    return None


def judge_calls(case, calls):
    section = section_of(case["config"], "tool_call")
    if not section or not active(case, "tool_call"):
        return None
    if section.get("flows"):
        for index, call in enumerate(calls):
            wrong = gate(case, call)
            if wrong is not None:
                return "tool_call", index, wrong, "tool call validation"
    for index, call in enumerate(calls):
        name = call["function"]["name"]
        if not section.get("per_tool", {}).get(name):
            continue
        wrong = gate(case, call)
        if wrong is not None:
            return "tool_call", index, wrong, None
        found = judge(case, "tool_call", name, {"args": json.loads(call["function"]["arguments"])})
        if found is not None:
            return "tool_call", index, found[1], found[0]
    return None


def judge_results(case, messages):
    section = section_of(case["config"], "tool_result")
    if not section or not active(case, "tool_result"):
        return None
    has_flow = bool(section.get("flows"))
    linked = []
    calls = {}
    for index, message in enumerate(messages):
        if message["role"] != "tool":
            calls = {each["id"]: each for each in message.get("tool_calls") or []}
            continue
        call = calls.get(message.get("tool_call_id"))
        if call is None:
            return "tool_result", index, "unknown_call_id", "tool result validation" if has_flow else None
        if has_flow and message.get("name") not in (None, call["function"]["name"]):
            return "tool_result", index, "name_mismatch", "tool result validation"
        linked.append((index, call, message["content"]))
    for index, call, content in linked:
        subject = {"args": json.loads(call["function"]["arguments"]), "content": content}
        found = judge(case, "tool_result", call["function"]["name"], subject)
        if found is not None:
            return "tool_result", index, found[1], found[0]
    return None


def can_load(case):
    """A configuration with an expression or a pattern that is none does not load."""
    detection = case["config"]["rails"]["config"]
    for family in ("tool_call", "tool_result"):
        for options in detection["cel"][family].values():
            for text in options["expressions"]:
                try:
                    cel.compile(text)
                except Exception:
                    return False
        for options in detection["regex_detection"][family].values():
            for pattern in options["patterns"]:
                try:
                    re.compile(pattern)
                except re.error:
                    return False
    return True


def of_today(value):
    """Older names of a section mean the newer ones."""
    if isinstance(value, dict):
        return {("tool_call" if key == "tool_output" else key): of_today(each) for key, each in value.items()}
    return [of_today(each) for each in value] if isinstance(value, list) else value


def run(given):
    case = {**given, "config": of_today(given["config"])}
    if not can_load(case):
        return {"outcome": "refused"}
    types = case.get("railTypes")
    found = None
    if types is None or "tool_result" in types:
        found = judge_results(case, case["messages"])
    if found is None and (types is None or "tool_call" in types):
        calls = case["script"]["calls"] if types is None else case["messages"][-1]["tool_calls"]
        found = judge_calls(case, calls)
    if found is None:
        return {"outcome": "passed"}
    family, index, violation, rail = found
    return {"outcome": "blocked", "kind": family, "index": index, "type": violation, "rail": rail}
