//! Rust types of every kind through every dialect.

use serde_json::{Map, Value, json};

use super::super::report::Action;
use super::super::{Dialect, Exportable, export};
use super::samples::{Sample, samples};
use super::support::{as_json_schema, assert_accepted, completed, export_one, is_valid, schema_of};

#[test]
fn the_list_is_long_and_its_values_are_valid() {
    let samples = samples();
    assert!(samples.len() >= 60, "{}", samples.len());
    for Sample {
        name,
        parameters,
        values,
        ..
    } in samples
    {
        for value in values {
            assert!(
                is_valid(&parameters, &value),
                "{name}: {value} against {parameters}"
            );
        }
    }
}

/// No target refuses what goes out, for one tool and for all tools in one request.
///
/// With `PROVIDER_EXPORTS=FILE` in the environment, that is written to the file, for the providers'
/// own libraries to judge: `.ci/provider-checks` does.
#[test]
fn every_export_is_accepted() {
    let samples = samples();
    let mut written = Map::new();
    for dialect in Dialect::ALL {
        let mut alone = Vec::new();
        for Sample {
            name, parameters, ..
        } in &samples
        {
            let export = export_one(parameters, dialect);
            assert_accepted(&export, dialect);
            let left_out: Vec<&str> = export
                .report
                .left_out()
                .map(|loss| loss.what.as_str())
                .collect();
            assert_eq!(export.tools.len() + left_out.len(), 1, "{name}, {dialect}");
            alone.extend(export.tools);
        }
        let tools = samples
            .iter()
            .map(|sample| Exportable::new(sample.name, "Does it.", &sample.parameters));
        let export = export(tools, dialect);
        assert_accepted(&export, dialect);
        let left_out = export.report.left_out().count();
        assert_eq!(export.tools.len() + left_out, samples.len(), "{dialect}");
        let requests = json!({ "alone": alone, "together": export.tools });
        written.insert(dialect.to_string(), requests);
    }
    if let Some(path) = std::env::var_os("PROVIDER_EXPORTS") {
        std::fs::write(path, Value::Object(written).to_string()).unwrap();
    }
}

/// Only recursion keeps a Rust type out of a list, and only from the targets without any.
#[test]
fn types_that_are_left_out() {
    let mut left_out = Vec::new();
    for dialect in Dialect::ALL {
        for Sample {
            name, parameters, ..
        } in samples()
        {
            let export = export_one(&parameters, dialect);
            let losses: Vec<_> = export.report.left_out().collect();
            left_out.extend(
                losses
                    .iter()
                    .map(|loss| format!("{dialect}: {name}: {}", loss.what)),
            );
        }
    }
    assert_eq!(
        left_out,
        [
            "gemini: Node: a recursive type: Node -> kids -> Node",
            "gemini: Linked: a recursive type: Linked -> next -> Linked",
            "gemini: Dir: a recursive type: Dir -> files -> Dir",
            "gemini: Ping: a recursive type: Ping -> pong -> Pong -> pings -> Ping",
            "gemini: Expr: a recursive type: Expr -> inner -> Expr",
            "gemini: Bare: a recursive type: Bare -> Bare",
            "gemini: Lambda: a recursive type: Lambda -> App -> Lambda",
            "gemini: Tree: a recursive type: Tree -> left -> Tree",
            "gemini: Term: a recursive type: Term -> c -> Term",
            "gemini: Wrapped: a recursive type: Wrapped -> inner -> Wrapped",
            "gemini: GenericTree<Option<u8>>: \
             a recursive type: GenericTree -> kids -> GenericTree",
            "gemini: Bag: a recursive type: Bag -> map -> Bag",
            "gemini: Ping3: \
             a recursive type: Ping3 -> next -> Pong3 -> next -> Pung3 -> next -> Ping3",
            "gemini-json-schema: Bare: a recursive type: Bare -> Bare",
        ]
    );
}

/// What a tool accepts, its export accepts, too, unless the report says otherwise; and what a
/// model sends by the export comes back as what the tool accepts.
#[test]
fn exports_accept_the_values_and_restore_them() {
    for dialect in Dialect::ALL {
        for Sample {
            name,
            parameters,
            values,
            ..
        } in samples()
        {
            let export = export_one(&parameters, dialect);
            let Some(tool) = export.tools.first() else {
                continue;
            };
            let narrowed = export
                .report
                .iter()
                .any(|loss| loss.action == Action::Narrowed);
            let renamed = export
                .report
                .iter()
                .any(|loss| loss.action == Action::Renamed);
            let (schema, strict) = schema_of(dialect, tool);
            let schema = as_json_schema(&schema);
            for value in values {
                if renamed {
                    continue;
                }
                let sent = if strict {
                    completed(&schema, &schema, &value)
                } else {
                    value.clone()
                };
                assert!(
                    narrowed || is_valid(&schema, &sent),
                    "{dialect}, {name}: {sent} against {schema:#}",
                );
                let restored = export.names.restore_arguments("f", sent.clone());
                assert!(
                    is_valid(&parameters, &restored),
                    "{dialect}, {name}: {sent} restored to {restored}",
                );
            }
        }
    }
}

/// Types that fit are sent strict; the others say why not.
#[test]
#[allow(clippy::too_many_lines)] // a list
fn types_that_cannot_be_strict() {
    let reasons = |dialect| {
        let mut all = Vec::new();
        for Sample {
            name, parameters, ..
        } in samples()
        {
            let export = export_one(&parameters, dialect);
            let losses = export
                .report
                .iter()
                .filter(|loss| loss.action == Action::WentNonStrict);
            let losses: Vec<String> = losses
                .map(|loss| format!("{}: {}", loss.path, loss.what))
                .collect();
            let strict = export
                .tools
                .first()
                .is_some_and(|tool| schema_of(dialect, tool).1);
            assert_eq!(strict, losses.is_empty(), "{dialect}, {name}");
            all.extend(losses.first().map(|first| format!("{name}: {first}")));
        }
        all
    };
    let shared = [
        "(u8, String, bool): /properties/x: a tuple of different types",
        "BTreeMap<String, Vec<Point>>: /properties/x: a map: an object with any keys",
        "BTreeMap<bool, u8>: /properties/x: a map: an object with any keys",
        "BTreeMap<char, u8>: /properties/x: a map: an object with any keys",
        "BTreeMap<i8, bool>: /properties/x: a map: an object with any keys",
        "BTreeMap<u32, String>: /properties/x: a map: an object with any keys",
        "Empty: /$defs/Empty: a map: an object with any keys",
        "External: /$defs/External/anyOf/2/properties/Tuple: a tuple of different types",
        "FlatMap: /$defs/FlatMap: a map: an object with any keys",
        "FlatValue: /$defs/FlatValue: a map: an object with any keys",
        "HashMap<String, u8>: /properties/x: a map: an object with any keys",
        "HashMap<Uuid, u8>: /properties/x: a map: an object with any keys",
        "Holding: /$defs/Holding/anyOf/1: a map: an object with any keys",
        "Keyed: /$defs/Keyed/properties/by_number: a map: an object with any keys",
        "Loose: /$defs/Loose/anyOf/4: a map: an object with any keys",
        "Map: /properties/x: a map: an object with any keys",
        "Pair: /$defs/Pair: a tuple of different types",
        "Tagged: /$defs/Tagged/properties/labels: a map: an object with any keys",
        "Untyped: /$defs/Untyped/properties/any: an untyped value",
        "Value: /properties/x: an untyped value",
        "[u8; 0]: /properties/x/items: an untyped value",
    ];
    let with = |own: &[&str]| {
        let mut all: Vec<String> = shared.iter().map(ToString::to_string).collect();
        all.extend(own.iter().map(ToString::to_string));
        all.sort();
        all
    };
    let sorted = |dialect| {
        let mut all = reasons(dialect);
        all.sort();
        all
    };
    let openai = with(&[
        "Bag: /$defs/Bag/properties/map: a map: an object with any keys",
        "Dir: /$defs/Dir/properties/files: a map: an object with any keys",
        "Ping3: /$defs/Pung3/properties/next: a map: an object with any keys",
    ]);
    assert_eq!(sorted(Dialect::OpenAi { strict: true }), openai);
    assert_eq!(sorted(Dialect::OpenAiResponses { strict: true }), openai);
    let anthropic = with(&[
        "Bare: : a recursive type: Bare -> Bare",
        "Dir: : a recursive type: Dir -> files -> Dir",
        "Expr: : a recursive type: Expr -> inner -> Expr",
        "Lambda: : a recursive type: Lambda -> App -> Lambda",
        "Linked: : a recursive type: Linked -> next -> Linked",
        "Node: : a recursive type: Node -> kids -> Node",
        "Ping: : a recursive type: Ping -> pong -> Pong -> pings -> Ping",
        "Bag: : a recursive type: Bag -> map -> Bag",
        "GenericTree<Option<u8>>: : a recursive type: GenericTree -> kids -> GenericTree",
        "Ping3: : a recursive type: Ping3 -> next -> Pong3 -> next -> Pung3 -> next -> Ping3",
        "Term: : a recursive type: Term -> c -> Term",
        "Tree: : a recursive type: Tree -> left -> Tree",
        "Wrapped: : a recursive type: Wrapped -> inner -> Wrapped",
    ]);
    assert_eq!(sorted(Dialect::Anthropic { strict: true }), anthropic);
    let deepseek = with(&[
        "Bare: /$defs/Bare/anyOf/1/items: a recursive type inside a union: Bare -> Bare",
        "Dir: /$defs/Dir/properties/files: a map: an object with any keys",
        "Expr: /$defs/Expr/anyOf/1/properties/inner: \
         a recursive type inside a union: Expr -> inner -> Expr",
        "Lambda: /$defs/Lambda/anyOf/1/properties/App/prefixItems/0: \
         a recursive type inside a union: Lambda -> App -> Lambda",
        "Bag: /$defs/Bag/properties/map: a map: an object with any keys",
        "Ping3: /$defs/Ping3/properties/next/anyOf/0: a recursive type inside a union: \
         Pong3 -> next -> Pung3 -> next -> Ping3 -> next -> Pong3",
        "Term: /$defs/Term/anyOf/1/properties/c: \
         a recursive type inside a union: Term -> c -> Term",
        "Tree: /$defs/Tree/anyOf/1/properties/Branch/properties/left: \
         a recursive type inside a union: Tree -> left -> Tree",
        "Wrapped: /$defs/Wrapped/anyOf/1/properties/inner/anyOf/0: \
         a recursive type inside a union: Wrapped -> inner -> Wrapped",
        "Linked: /$defs/Linked/properties/next/anyOf/0: \
         a recursive type inside a union: Linked -> next -> Linked",
        "Ping: /$defs/Ping/properties/pong/anyOf/0: \
         a recursive type inside a union: Pong -> pings -> Ping -> pong -> Pong",
    ]);
    assert_eq!(sorted(Dialect::DeepSeek { strict: true }), deepseek);
}
