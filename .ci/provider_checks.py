"""Asks the providers' own libraries about exported tools.

    provider_checks.py EXPORTS.json

EXPORTS.json holds {"<dialect>": {"alone": [tool, ...], "together": [tool, ...]}}. Each tool alone and all
together are given to what the provider's library has to say about tools: its types with unknown fields
refused, and where there is one, its own rewriting to the strict subset, which must find nothing to do.
"""

import copy
import json
import sys
import warnings

import pydantic
from anthropic import transform_schema
from anthropic.types import ToolParam as AnthropicTool
from google.genai import types as gemini
from jsonschema import Draft202012Validator
from mcp.types import ListToolsResult
from ollama import Tool as OllamaTool
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionToolParam
from openai.types.responses import FunctionToolParam

warnings.simplefilter("ignore")


def typed(kind):
    """Checks against a type of a library, and that it keeps everything."""
    adapter = pydantic.TypeAdapter(kind)

    def check(tool):
        unknown = set(tool) - set(getattr(kind, "__annotations__", tool))
        assert not unknown, f"unknown fields {unknown}"
        adapter.validate_python(tool)

    return check


def same(ours, theirs, at=""):
    """Equal, whatever the order of `required`."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), f"{at}: {sorted(ours)} became {sorted(theirs)}"
        for key, value in ours.items():
            if key == "required" and isinstance(value, list):
                assert sorted(value) == sorted(theirs[key]), f"{at}/required: {value} became {theirs[key]}"
            else:
                same(value, theirs[key], f"{at}/{key}")
    elif isinstance(ours, list) and isinstance(theirs, list):
        assert len(ours) == len(theirs), f"{at}: {ours} became {theirs}"
        for index, pair in enumerate(zip(ours, theirs)):
            same(*pair, f"{at}/{index}")
    else:
        assert ours == theirs, f"{at}: {ours} became {theirs}"


def json_schema(schema):
    Draft202012Validator.check_schema(schema)


def strict_openai(schema):
    same(schema, _ensure_strict_json_schema(copy.deepcopy(schema), path=(), root=copy.deepcopy(schema)))


def api_takes(schema):
    """Without what the API documents and the library, more careful, does not know: lists of types (as
    unions), `default` and `pattern`."""
    if isinstance(schema, list):
        return [api_takes(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return {"anyOf": [api_takes({**schema, "type": kind}) for kind in kinds]}
    return {
        key: {name: api_takes(one) for name, one in value.items()}
        if key in ("properties", "$defs")
        else api_takes(value)
        for key, value in schema.items()
        if key not in ("default", "pattern")
    }


def strict_anthropic(schema):
    """The library moves into the description, in braces, what the API does not take."""
    schema = api_takes(schema)
    same(without_listed_types(schema), transform_schema(schema))


def without_listed_types(schema):
    """The library leaves out the type beside `enum`."""
    if isinstance(schema, list):
        return [without_listed_types(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    is_listed = "enum" in schema and isinstance(schema["enum"], list)
    return {
        key: without_listed_types(value)
        for key, value in schema.items()
        if not (key == "type" and is_listed)
    }


def openai_chat(tool):
    typed(ChatCompletionToolParam)(tool)
    function = tool["function"]
    json_schema(function["parameters"])
    if function.get("strict"):
        strict_openai(function["parameters"])


def openai_responses(tool):
    typed(FunctionToolParam)(tool)
    json_schema(tool["parameters"])
    if tool.get("strict"):
        strict_openai(tool["parameters"])


def anthropic(tool):
    typed(AnthropicTool)(tool)
    json_schema(tool["input_schema"])
    if tool.get("strict"):
        strict_anthropic(tool["input_schema"])


def gemini_parameters(tool):
    declaration = gemini.FunctionDeclaration.model_validate(tool)
    if "parameters" in tool:
        sent = declaration.parameters.model_dump(mode="json", by_alias=True, exclude_unset=True)
        assert sent["type"] == "OBJECT", sent["type"]


def gemini_json_schema(tool):
    gemini.FunctionDeclaration.model_validate(tool)
    if "parametersJsonSchema" in tool:
        json_schema(tool["parametersJsonSchema"])
        # Fields that the library's own picture of this subset does not have are refused.
        gemini.JSONSchema.model_validate(referenced(tool["parametersJsonSchema"]))


def referenced(schema):
    """The library's picture has no `$ref`, `$defs` and `prefixItems`, which the API documents."""
    if isinstance(schema, list):
        return [referenced(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {}
    unknown = ("$defs", "prefixItems")
    return {key: referenced(value) for key, value in schema.items() if key not in unknown}


def gemini_request(tools):
    gemini.GenerateContentConfig(tools=[gemini.Tool(function_declarations=tools)])


def ollama(tool):
    OllamaTool.model_validate(tool)
    kept = {"type", "description", "properties", "required", "items", "anyOf", "enum"}
    json_schema(tool["function"]["parameters"])
    unknown = set(tool["function"]["parameters"]) - kept
    assert not unknown, unknown


def mcp(tool):
    mcp_request([tool])
    json_schema(tool["inputSchema"])


def mcp_request(tools):
    ListToolsResult.model_validate({"tools": tools})


def each(check):
    def request(tools):
        for tool in tools:
            check(tool)

    return request


def grammar(tool):
    openai_chat(tool)


CHECKS = {
    "openai": (openai_chat, each(openai_chat)),
    "openai-strict": (openai_chat, each(openai_chat)),
    "openai-responses": (openai_responses, each(openai_responses)),
    "openai-responses-strict": (openai_responses, each(openai_responses)),
    "anthropic": (anthropic, each(anthropic)),
    "anthropic-strict": (anthropic, each(anthropic)),
    "gemini": (gemini_parameters, gemini_request),
    "gemini-json-schema": (gemini_json_schema, gemini_request),
    # Both say they take what OpenAI takes.
    "deepseek": (openai_chat, each(openai_chat)),
    "deepseek-strict": (openai_chat, each(openai_chat)),
    "ollama": (ollama, each(ollama)),
    "llama-cpp": (grammar, each(grammar)),
    "mcp": (mcp, mcp_request),
}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        exports = json.load(file)
    unchecked = set(exports) ^ set(CHECKS)
    assert not unchecked, f"no check for {sorted(unchecked)}"
    failures = 0
    for dialect, requests in exports.items():
        alone, together = CHECKS[dialect]
        refused = []
        for tool in requests["alone"]:
            try:
                alone(copy.deepcopy(tool))
            except Exception as error:  # Whatever a library says no with.
                refused.append(f"{type(error).__name__}: {str(error)[:600]}\n    {json.dumps(tool)[:600]}")
        try:
            together(copy.deepcopy(requests["together"]))
        except Exception as error:
            refused.append(f"together: {type(error).__name__}: {str(error)[:600]}")
        failures += len(refused)
        counts = f"{len(requests['alone'])} alone, {len(requests['together'])} together"
        print(f"{dialect:<24} {counts:<28} {len(refused)} refused")
        for text in refused:
            print(f"  {text}")
    sys.exit(failures > 0)


main()
