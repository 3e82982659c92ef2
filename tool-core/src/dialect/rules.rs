//! The table: what each target accepts, and who says so.
//!
//! Providers change. A change of theirs is a change of one entry here; the exporter and the
//! checker both read it. What is not listed for a target falls to its `others`.

use super::rule::Treat::{
    Alone, AsAnyOf, AsEnum, AtMost, Definitions, Describe, Drop, Formats, IntegerBound,
    ItemsPresent, Keep, Merge, Pattern, Ref, RequireDeclared, RequireEvery, Values,
};
use super::rule::{
    Charset, Closing, Count, Limit, Null, Per, Refs, Root, Rule, Rules, Treat, Tuple, Types,
    Untyped, Values as V,
};

const OPENAI_NAMES: &str = "OpenAI API reference, tools.function.name";
const OPENAI_TOOLS: &str = "OpenAI API reference, tools";
const OPENAI_SCHEMAS: &str = "OpenAI guide Structured Outputs, Supported schemas";
const OPENAI_400: &str = "OpenAI API, error `invalid_function_parameters`";
const ANTHROPIC_TOOLS: &str = "Anthropic docs, Define tools";
const ANTHROPIC_400: &str = "Anthropic API, error on `input_schema`";
const ANTHROPIC_SCHEMAS: &str = "Anthropic docs, Structured outputs, JSON Schema limitations";
const GEMINI_TOOLS: &str = "Gemini API reference, FunctionDeclaration";
const GEMINI_SCHEMA: &str = "Gemini API reference, Schema";
const GEMINI_JSON: &str = "Gemini API reference, responseJsonSchema (an upper bound for tools)";
const DEEPSEEK_TOOLS: &str = "DeepSeek API reference, tools";
const DEEPSEEK_DOCS: &str = "DeepSeek docs, Tool Calls, strict mode";
const DEEPSEEK_SEEN: &str = "DeepSeek strict mode, as the API answers";
const OLLAMA_TYPES: &str = "Ollama source, api.ToolFunction";
const LLAMA_GRAMMAR: &str = "llama.cpp, grammars/README.md, JSON Schemas";
const MCP_TOOLS: &str = "MCP specification, Tools";

const fn rule(keywords: &'static [&'static str], treat: Treat, source: &'static str) -> Rule {
    Rule { keywords, treat, source }
}

const fn limit(count: Count, most: usize, per: Per, source: &'static str) -> Limit {
    Limit { count, most, per, source }
}

/// `$schema` is about the document, not about the arguments, and several APIs answer it with 400.
const NO_DIALECT: &[&str] = &["$schema", "$vocabulary"];

/// OpenAI, Anthropic, DeepSeek and what imitates them.
const WORD: Charset = Charset {
    first: "0-",
    rest: "0-",
    longest: 64,
    pattern: "^[a-zA-Z0-9_-]{1,64}$",
    source: OPENAI_NAMES,
};

const GEMINI_NAME: Charset = Charset {
    first: "",
    rest: "0-.",
    longest: 64,
    pattern: "^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$",
    // The Gemini API takes more, but the same declaration should work on Vertex AI.
    source: "Vertex AI reference, FunctionDeclaration",
};

const MCP_NAME: Charset = Charset {
    first: "0-.",
    rest: "0-.",
    longest: 128,
    pattern: "^[a-zA-Z0-9_.-]{1,128}$",
    source: MCP_TOOLS,
};

const ANTHROPIC_PROPERTY: Charset = Charset {
    first: "0-.",
    rest: "0-.",
    longest: 64,
    pattern: "^[a-zA-Z0-9_.-]{1,64}$",
    source: ANTHROPIC_400,
};

/// Formats of the OpenAI and Anthropic grammars.
const GRAMMAR_FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// As [`GRAMMAR_FORMATS`], with `uri`.
const GRAMMAR_FORMATS_URI: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
    "uri",
];

/// What a regular expression may not contain where it becomes part of a grammar.
const LOOKAROUND: &[&str] = &["(?=", "(?!", "(?<=", "(?<!"];

/// As [`LOOKAROUND`], with word boundaries and back-references.
const BEYOND_REGULAR: &[&str] = &[
    "(?=", "(?!", "(?<=", "(?<!", r"\b", r"\B", r"\1", r"\2", r"\3", r"\4", r"\5", r"\6", r"\7",
    r"\8", r"\9", r"\k",
];

const LISTED_NULL: Types = Types { null: Null::List, untyped: Untyped::NotStrict };
const LISTED_NULL_OR_ANY: Types = Types { null: Null::List, untyped: Untyped::Kept };

/// Chat Completions and Responses, without `strict`.
pub(super) static OPENAI: Rules = Rules {
    label: "OpenAI",
    strict: false,
    all_or_none: false,
    tool_name: WORD,
    property_name: None,
    root: Root::Plain { source: OPENAI_400 },
    keywords: &[
        rule(NO_DIALECT, Drop, OPENAI_TOOLS),
        rule(&["const"], AsEnum, OPENAI_TOOLS),
        rule(&["items"], ItemsPresent, OPENAI_400),
        rule(&["prefixItems"], Treat::Tuple(Tuple::AsArray), OPENAI_400),
    ],
    others: Keep,
    others_source: OPENAI_TOOLS,
    limits: &[limit(Count::Tools, 128, Per::Request, OPENAI_TOOLS)],
};

/// `strict: true`.
pub(super) static OPENAI_STRICT: Rules = Rules {
    label: "OpenAI strict",
    strict: true,
    all_or_none: false,
    tool_name: WORD,
    property_name: None,
    root: Root::Plain { source: OPENAI_SCHEMAS },
    keywords: &[
        rule(&["type"], Treat::Type(LISTED_NULL), OPENAI_SCHEMAS),
        rule(&["description", "properties"], Keep, OPENAI_SCHEMAS),
        rule(&["required"], RequireEvery, OPENAI_SCHEMAS),
        rule(&["additionalProperties"], Treat::Closing(Closing::False), OPENAI_SCHEMAS),
        rule(&["$ref"], Ref(Refs::Wrapped), OPENAI_SCHEMAS),
        rule(&["$defs"], Definitions("$defs"), OPENAI_SCHEMAS),
        rule(&["anyOf"], Alone, OPENAI_SCHEMAS),
        rule(&["oneOf"], AsAnyOf, OPENAI_SCHEMAS),
        rule(&["allOf"], Merge, OPENAI_SCHEMAS),
        rule(&["enum"], Values(V::Scalars), OPENAI_SCHEMAS),
        rule(&["const"], AsEnum, OPENAI_SCHEMAS),
        rule(&["items"], ItemsPresent, OPENAI_SCHEMAS),
        rule(&["prefixItems"], Treat::Tuple(Tuple::AlikeOrNotStrict), OPENAI_SCHEMAS),
        rule(&["minItems", "maxItems"], Keep, OPENAI_SCHEMAS),
        rule(&["minimum", "maximum", "multipleOf"], Keep, OPENAI_SCHEMAS),
        rule(&["exclusiveMinimum", "exclusiveMaximum"], Keep, OPENAI_SCHEMAS),
        rule(&["pattern"], Pattern(LOOKAROUND), OPENAI_SCHEMAS),
        rule(&["format"], Formats(GRAMMAR_FORMATS), OPENAI_SCHEMAS),
    ],
    others: Describe,
    others_source: OPENAI_SCHEMAS,
    limits: &[
        limit(Count::Tools, 128, Per::Request, OPENAI_TOOLS),
        limit(Count::Properties, 5_000, Per::Tool, OPENAI_SCHEMAS),
        limit(Count::Levels, 10, Per::Tool, OPENAI_SCHEMAS),
        limit(Count::EnumValues, 1_000, Per::Tool, OPENAI_SCHEMAS),
        limit(Count::Characters, 120_000, Per::Tool, OPENAI_SCHEMAS),
        limit(Count::LargeEnumCharacters, 15_000, Per::Tool, OPENAI_SCHEMAS),
    ],
};

/// Messages API, without `strict`.
pub(super) static ANTHROPIC: Rules = Rules {
    label: "Anthropic",
    strict: false,
    all_or_none: false,
    tool_name: Charset { source: ANTHROPIC_TOOLS, ..WORD },
    property_name: Some(ANTHROPIC_PROPERTY),
    root: Root::Plain { source: ANTHROPIC_400 },
    keywords: &[rule(NO_DIALECT, Drop, ANTHROPIC_TOOLS)],
    others: Keep,
    others_source: ANTHROPIC_TOOLS,
    limits: &[],
};

/// `strict: true`: all strict tools of a request are compiled into one grammar.
pub(super) static ANTHROPIC_STRICT: Rules = Rules {
    label: "Anthropic strict",
    strict: true,
    all_or_none: false,
    tool_name: Charset { source: ANTHROPIC_TOOLS, ..WORD },
    property_name: Some(ANTHROPIC_PROPERTY),
    root: Root::Plain { source: ANTHROPIC_400 },
    keywords: &[
        rule(&["type"], Treat::Type(LISTED_NULL), ANTHROPIC_SCHEMAS),
        rule(&["description", "properties", "default"], Keep, ANTHROPIC_SCHEMAS),
        rule(&["required"], RequireDeclared, ANTHROPIC_SCHEMAS),
        rule(&["additionalProperties"], Treat::Closing(Closing::False), ANTHROPIC_SCHEMAS),
        rule(&["$ref"], Ref(Refs::Sole), ANTHROPIC_SCHEMAS),
        rule(&["$defs"], Definitions("$defs"), ANTHROPIC_SCHEMAS),
        rule(&["anyOf"], Alone, ANTHROPIC_SCHEMAS),
        rule(&["oneOf"], AsAnyOf, ANTHROPIC_SCHEMAS),
        // `allOf` is supported, but not with a `$ref` in it, and merging loses nothing.
        rule(&["allOf"], Merge, ANTHROPIC_SCHEMAS),
        rule(&["enum"], Values(V::Scalars), ANTHROPIC_SCHEMAS),
        rule(&["const"], AsEnum, ANTHROPIC_SCHEMAS),
        rule(&["items"], ItemsPresent, ANTHROPIC_SCHEMAS),
        rule(&["prefixItems"], Treat::Tuple(Tuple::AlikeOrNotStrict), ANTHROPIC_SCHEMAS),
        rule(&["minItems"], AtMost(1), ANTHROPIC_SCHEMAS),
        rule(&["pattern"], Pattern(BEYOND_REGULAR), ANTHROPIC_SCHEMAS),
        rule(&["format"], Formats(GRAMMAR_FORMATS_URI), ANTHROPIC_SCHEMAS),
    ],
    others: Describe,
    others_source: ANTHROPIC_SCHEMAS,
    limits: &[
        limit(Count::StrictTools, 20, Per::Request, ANTHROPIC_SCHEMAS),
        limit(Count::OptionalProperties, 24, Per::Request, ANTHROPIC_SCHEMAS),
        limit(Count::Unions, 16, Per::Request, ANTHROPIC_SCHEMAS),
    ],
};

/// `FunctionDeclaration.parameters`: the `OpenAPI` 3.0 subset.
pub(super) static GEMINI: Rules = Rules {
    label: "Gemini `parameters`",
    strict: false,
    all_or_none: false,
    tool_name: GEMINI_NAME,
    property_name: None,
    root: Root::Plain { source: GEMINI_TOOLS },
    keywords: &[
        rule(
            &["type"],
            Treat::Type(Types { null: Null::Keyword, untyped: Untyped::Spelled }),
            GEMINI_SCHEMA,
        ),
        rule(&["nullable", "description", "properties"], Keep, GEMINI_SCHEMA),
        rule(&["required"], RequireDeclared, GEMINI_SCHEMA),
        rule(&["additionalProperties"], Treat::Closing(Closing::Unsaid), GEMINI_SCHEMA),
        rule(&["$ref"], Ref(Refs::Inlined), GEMINI_SCHEMA),
        rule(&["$defs"], Drop, GEMINI_SCHEMA),
        rule(&["anyOf"], Alone, GEMINI_SCHEMA),
        rule(&["oneOf"], AsAnyOf, GEMINI_SCHEMA),
        rule(&["allOf"], Merge, GEMINI_SCHEMA),
        rule(&["enum"], Values(V::Strings), GEMINI_SCHEMA),
        rule(&["const"], AsEnum, GEMINI_SCHEMA),
        rule(&["items"], ItemsPresent, GEMINI_SCHEMA),
        rule(&["prefixItems"], Treat::Tuple(Tuple::AsArray), GEMINI_SCHEMA),
        rule(&["minItems", "maxItems", "minimum", "maximum"], Keep, GEMINI_SCHEMA),
        rule(&["format"], Formats(&["enum", "date-time"]), "Gemini API, error on `format`"),
    ],
    others: Describe,
    others_source: GEMINI_SCHEMA,
    limits: &[],
};

/// `FunctionDeclaration.parametersJsonSchema`.
pub(super) static GEMINI_JSON_SCHEMA: Rules = Rules {
    label: "Gemini `parametersJsonSchema`",
    strict: false,
    all_or_none: false,
    tool_name: GEMINI_NAME,
    property_name: None,
    root: Root::Plain { source: GEMINI_TOOLS },
    keywords: &[
        rule(&["type"], Treat::Type(LISTED_NULL_OR_ANY), GEMINI_JSON),
        rule(&["title", "description", "properties"], Keep, GEMINI_JSON),
        rule(&["required"], RequireDeclared, GEMINI_JSON),
        rule(&["additionalProperties"], Treat::Closing(Closing::Free), GEMINI_JSON),
        rule(&["$ref"], Ref(Refs::OptionalCycles), GEMINI_JSON),
        rule(&["$defs"], Definitions("$defs"), GEMINI_JSON),
        rule(&["anyOf"], Alone, GEMINI_JSON),
        // "interpreted the same as anyOf"
        rule(&["oneOf"], AsAnyOf, GEMINI_JSON),
        rule(&["allOf"], Merge, GEMINI_JSON),
        rule(&["enum"], Values(V::StringsAndNumbers), GEMINI_JSON),
        rule(&["const"], AsEnum, GEMINI_JSON),
        rule(&["items"], ItemsPresent, GEMINI_JSON),
        rule(&["prefixItems"], Treat::Tuple(Tuple::WithItems), GEMINI_JSON),
        rule(&["minItems", "maxItems", "minimum", "maximum"], Keep, GEMINI_JSON),
    ],
    others: Describe,
    others_source: GEMINI_JSON,
    limits: &[],
};

/// Chat Completions, without `strict`.
pub(super) static DEEPSEEK: Rules = Rules {
    label: "DeepSeek",
    strict: false,
    all_or_none: false,
    tool_name: Charset { source: DEEPSEEK_TOOLS, ..WORD },
    property_name: None,
    root: Root::Plain { source: DEEPSEEK_TOOLS },
    keywords: &[
        rule(NO_DIALECT, Drop, DEEPSEEK_TOOLS),
        rule(&["const"], AsEnum, DEEPSEEK_TOOLS),
        rule(&["items"], ItemsPresent, DEEPSEEK_TOOLS),
        rule(&["prefixItems"], Treat::Tuple(Tuple::AsArray), DEEPSEEK_TOOLS),
    ],
    others: Keep,
    others_source: DEEPSEEK_TOOLS,
    limits: &[limit(Count::Tools, 128, Per::Request, DEEPSEEK_TOOLS)],
};

/// `strict: true` on the `/beta` endpoint, for all tools of a request or none.
pub(super) static DEEPSEEK_STRICT: Rules = Rules {
    label: "DeepSeek strict",
    strict: true,
    all_or_none: true,
    tool_name: Charset { source: DEEPSEEK_TOOLS, ..WORD },
    property_name: None,
    root: Root::Plain { source: DEEPSEEK_DOCS },
    keywords: &[
        rule(&["type"], Treat::Type(LISTED_NULL), DEEPSEEK_DOCS),
        rule(&["description", "properties", "default"], Keep, DEEPSEEK_DOCS),
        rule(&["required"], RequireEvery, DEEPSEEK_DOCS),
        rule(&["additionalProperties"], Treat::Closing(Closing::FalseAndFilled), DEEPSEEK_SEEN),
        rule(&["$ref"], Ref(Refs::OutsideAnyOf), DEEPSEEK_SEEN),
        rule(&["$def"], Keep, DEEPSEEK_DOCS),
        rule(&["$defs"], Definitions("$def"), DEEPSEEK_DOCS),
        rule(&["anyOf"], Alone, DEEPSEEK_DOCS),
        rule(&["oneOf"], AsAnyOf, DEEPSEEK_DOCS),
        rule(&["allOf"], Merge, DEEPSEEK_DOCS),
        rule(&["enum"], Values(V::Scalars), DEEPSEEK_DOCS),
        rule(&["const"], AsEnum, DEEPSEEK_DOCS),
        rule(&["items"], ItemsPresent, DEEPSEEK_DOCS),
        rule(&["prefixItems"], Treat::Tuple(Tuple::AlikeOrNotStrict), DEEPSEEK_DOCS),
        rule(&["minimum", "maximum", "multipleOf"], Keep, DEEPSEEK_DOCS),
        rule(&["exclusiveMinimum", "exclusiveMaximum"], Keep, DEEPSEEK_DOCS),
        rule(&["pattern"], Pattern(LOOKAROUND), DEEPSEEK_DOCS),
        rule(&["format"], Formats(&["email", "hostname", "ipv4", "ipv6", "uuid"]), DEEPSEEK_DOCS),
    ],
    others: Describe,
    others_source: DEEPSEEK_DOCS,
    limits: &[limit(Count::Tools, 128, Per::Request, DEEPSEEK_TOOLS)],
};

/// Ollama's own API reads the schema into fixed structures and prints them into the prompt:
/// what has no field there never reaches the model, so everything else is described.
pub(super) static OLLAMA: Rules = Rules {
    label: "Ollama",
    strict: false,
    all_or_none: false,
    tool_name: Charset { source: OLLAMA_TYPES, ..WORD },
    property_name: None,
    root: Root::Plain { source: OLLAMA_TYPES },
    keywords: &[
        rule(&["type"], Treat::Type(LISTED_NULL_OR_ANY), OLLAMA_TYPES),
        rule(&["description", "properties"], Keep, OLLAMA_TYPES),
        rule(&["required"], RequireDeclared, OLLAMA_TYPES),
        rule(&["additionalProperties"], Treat::Closing(Closing::Unsaid), OLLAMA_TYPES),
        rule(&["$ref"], Ref(Refs::Cut), OLLAMA_TYPES),
        rule(&["$defs"], Drop, OLLAMA_TYPES),
        rule(&["anyOf"], Alone, OLLAMA_TYPES),
        rule(&["oneOf"], AsAnyOf, OLLAMA_TYPES),
        rule(&["allOf"], Merge, OLLAMA_TYPES),
        rule(&["enum"], Values(V::Scalars), OLLAMA_TYPES),
        rule(&["const"], AsEnum, OLLAMA_TYPES),
        rule(&["items"], ItemsPresent, OLLAMA_TYPES),
        rule(&["prefixItems"], Treat::Tuple(Tuple::AsArray), OLLAMA_TYPES),
    ],
    others: Describe,
    others_source: OLLAMA_TYPES,
    limits: &[],
};

/// What llama.cpp's converter from JSON Schema to GBNF reads. It skips what it does not know
/// without a word, and answers 400 to a pattern it cannot translate.
pub(super) static LLAMA_CPP: Rules = Rules {
    label: "llama.cpp",
    strict: false,
    all_or_none: false,
    tool_name: Charset { source: LLAMA_GRAMMAR, ..WORD },
    property_name: None,
    root: Root::Plain { source: LLAMA_GRAMMAR },
    keywords: &[
        rule(&["type"], Treat::Type(LISTED_NULL_OR_ANY), LLAMA_GRAMMAR),
        rule(&["title", "description", "default", "properties"], Keep, LLAMA_GRAMMAR),
        rule(&["required"], RequireDeclared, LLAMA_GRAMMAR),
        rule(&["additionalProperties"], Treat::Closing(Closing::Free), LLAMA_GRAMMAR),
        // "nested `$ref`s are broken"
        rule(&["$ref"], Ref(Refs::Cut), LLAMA_GRAMMAR),
        rule(&["$defs"], Drop, LLAMA_GRAMMAR),
        // "mixing `properties` with `anyOf` / `oneOf` is not supported"
        rule(&["anyOf"], Alone, LLAMA_GRAMMAR),
        rule(&["oneOf"], AsAnyOf, LLAMA_GRAMMAR),
        rule(&["allOf"], Merge, LLAMA_GRAMMAR),
        rule(&["enum"], Values(V::Scalars), LLAMA_GRAMMAR),
        rule(&["const"], AsEnum, LLAMA_GRAMMAR),
        rule(&["items"], ItemsPresent, LLAMA_GRAMMAR),
        // "`prefixItems` is broken (but `items` works)"
        rule(&["prefixItems"], Treat::Tuple(Tuple::AsArray), LLAMA_GRAMMAR),
        rule(&["minItems", "maxItems", "minLength", "maxLength"], Keep, LLAMA_GRAMMAR),
        rule(
            &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
            IntegerBound,
            LLAMA_GRAMMAR,
        ),
        rule(&["format"], Formats(&["date", "time", "date-time", "uuid"]), LLAMA_GRAMMAR),
    ],
    others: Describe,
    others_source: LLAMA_GRAMMAR,
    limits: &[],
};

/// Any JSON Schema 2020-12 with an object root.
pub(super) static MCP: Rules = Rules {
    label: "MCP",
    strict: false,
    all_or_none: false,
    tool_name: MCP_NAME,
    property_name: None,
    root: Root::Object,
    keywords: &[],
    others: Keep,
    others_source: MCP_TOOLS,
    limits: &[],
};
