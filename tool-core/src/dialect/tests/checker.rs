//! The checker itself: it finds what it is there for.

use serde_json::{Value, json};

use super::super::{Dialect, check, check_request};

fn of_openai(parameters: &Value) -> Value {
    json!({ "type": "function", "function": { "name": "f", "strict": true, "parameters": parameters } })
}

/// The checker finds each kind of mistake, with its source: it is not silent by itself.
#[test]
#[allow(clippy::too_many_lines)] // a list
fn the_checker_finds_mistakes() {
    const SCHEMAS: &str = "(OpenAI guide Structured Outputs, Supported schemas)";
    let strict = |x: Value| {
        let parameters = json!({
            "type": "object", "properties": { "x": x }, "required": ["x"],
            "additionalProperties": false,
        });
        let found = check(Dialect::OpenAi { strict: true }, &of_openai(&parameters));
        let strip = |line: &String| {
            let line = line.strip_prefix("OpenAI strict: ").unwrap();
            line.strip_suffix(SCHEMAS).unwrap().trim_end().to_owned()
        };
        found.iter().map(strip).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(
        strict(json!({ "type": ["string", "null"], "enum": ["a", null] })),
        none
    );
    for (x, expected) in [
        (json!({}), "`/properties/x`: no `type`"),
        (
            json!(true),
            "`/properties/x`: a schema that is not an object",
        ),
        (
            json!({ "type": "string", "minLength": 1 }),
            "`/properties/x`: `minLength`",
        ),
        (
            json!({ "type": "string", "format": "uri" }),
            "`/properties/x`: `format`: \"uri\"",
        ),
        (
            json!({ "type": "string", "pattern": "(?=a)" }),
            "`/properties/x`: `pattern` with `(?=`",
        ),
        (
            json!({ "type": "string", "nullable": true }),
            "`/properties/x`: `nullable`",
        ),
        (
            json!({ "type": "string", "const": "a" }),
            "`/properties/x`: `const`",
        ),
        (
            json!({ "type": "string", "enum": [] }),
            "`/properties/x`: an `enum` without values",
        ),
        (
            json!({ "type": "string", "enum": [1] }),
            "`/properties/x`: `enum` has 1, `type` does not",
        ),
        (
            json!({ "type": ["string", "integer"] }),
            "`/properties/x`: `type`: [\"string\",\"integer\"]",
        ),
        (
            json!({ "type": "array" }),
            "`/properties/x`: an array without `items`",
        ),
        (
            json!({ "oneOf": [{ "type": "null" }], "type": "null" }),
            "`/properties/x`: `oneOf`",
        ),
        (
            json!({ "anyOf": [{ "type": "null" }], "type": "null" }),
            "`/properties/x`: `type` beside `anyOf`",
        ),
        (
            json!({ "type": "object", "properties": {}, "additionalProperties": { "type": "null" } }),
            "`/properties/x`: `additionalProperties` is not `false`",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "type": "null" } },
                    "additionalProperties": false }),
            "`/properties/x`: `a` is not required",
        ),
        (
            json!({ "type": "object", "properties": {}, "required": ["a"],
                    "additionalProperties": false }),
            "`/properties/x`: `a` is required, but not declared",
        ),
        (
            json!({ "$ref": "#/$defs/A" }),
            "`/properties/x`: `$ref`: \"#/$defs/A\" points to nothing",
        ),
        (
            json!({ "$ref": "#", "description": "x" }),
            "`/properties/x`: `description` beside `$ref`",
        ),
    ] {
        assert_eq!(strict(x.clone()), [expected], "{x}");
    }

    let mut tool = of_openai(&json!({ "type": "string" }));
    tool["function"]["name"] = json!("a.b");
    assert_eq!(
        check(Dialect::OpenAi { strict: false }, &tool),
        ["openai: `strict` was not asked for",]
    );
    tool["function"].as_object_mut().unwrap().remove("strict");
    assert_eq!(
        check(Dialect::OpenAi { strict: false }, &tool),
        [
            "OpenAI: ``: the name `a.b` does not match ^[a-zA-Z0-9_-]{1,64}$ \
         (OpenAI API reference, tools.function.name)",
            "OpenAI: ``: the root is not an object (OpenAI API, error `invalid_function_parameters`)",
            "OpenAI: ``: the root has no `properties` \
         (OpenAI API, error `invalid_function_parameters`)",
        ]
    );
    let recursive = json!({ "name": "f", "strict": true, "input_schema": {
        "type": "object", "additionalProperties": false,
        "properties": { "größe": { "type": "array", "items": { "$ref": "#" } } },
    } });
    assert_eq!(
        check(Dialect::Anthropic { strict: true }, &recursive),
        [
            "Anthropic strict: ``: the property `größe` does not match ^[a-zA-Z0-9_.-]{1,64}$ \
         (Anthropic API, error on `input_schema`)",
            "Anthropic strict: ``: `#` is recursive \
         (Anthropic docs, Structured outputs, JSON Schema limitations)",
        ]
    );
    let gemini = json!({ "name": "1st", "description": "", "parameters": {
        "type": "object", "properties": { "x": { "type": ["integer", "null"] } } } });
    assert_eq!(
        check(Dialect::Gemini, &gemini),
        [
            "Gemini `parameters`: ``: the name `1st` does not match ^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$ \
         (Vertex AI reference, FunctionDeclaration)",
            "Gemini `parameters`: `/properties/x`: `type`: [\"integer\",\"null\"] \
         (Gemini API reference, Schema)",
        ]
    );
}

#[test]
fn the_checker_looks_at_the_whole_request() {
    let tool = |number: usize| {
        json!({ "name": format!("t{number}"), "strict": true, "input_schema": {
            "type": "object", "properties": {}, "additionalProperties": false } })
    };
    let tools: Vec<Value> = (0..21).map(tool).collect();
    let dialect = Dialect::Anthropic { strict: true };
    assert_eq!(check_request(dialect, &tools[..20]), [""; 0]);
    assert_eq!(
        check_request(dialect, &tools),
        ["Anthropic strict: 21 strict tools, 20 are accepted \
         (Anthropic docs, Structured outputs, JSON Schema limitations)",]
    );
    let schema = json!({
        "type": "object", "properties": {}, "additionalProperties": false, "required": [],
    });
    let strict = of_openai(&schema);
    let mut loose = strict.clone();
    loose["function"]["name"] = json!("g");
    loose["function"].as_object_mut().unwrap().remove("strict");
    assert_eq!(
        check_request(Dialect::DeepSeek { strict: true }, &[strict, loose]),
        ["DeepSeek strict: 1 of 2 tools are strict",]
    );
}
