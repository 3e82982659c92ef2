//! Names: injective, independent of the order, and reversible.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::names::assign;
use super::super::rules::{ANTHROPIC, GEMINI, MCP, OPENAI};
use super::super::{Dialect, UnknownDialect};

#[test]
fn a_name_that_will_do_is_kept_and_another_gets_a_digest() {
    let names = assign(["a.b", "a_b", "größe", "1st"], OPENAI.tool_name);
    let names: Vec<(&str, &str)> = names
        .iter()
        .map(|(own, name)| (*own, name.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            ("1st", "1st"),
            ("a.b", "a_b_2e7336dc"),
            ("a_b", "a_b"),
            ("größe", "gr__e_d353a267"),
        ]
    );
    assert_eq!(assign(["1st"], GEMINI.tool_name)["1st"], "_1st_e01ddf65");
    assert_eq!(assign([""], OPENAI.tool_name)[""], "__e3b0c442");
}

/// A tool may have the very name that another one would get.
#[test]
fn a_name_in_use_is_not_given_again() {
    let taken = assign(["a.b"], OPENAI.tool_name)["a.b"].clone();
    let names = assign(["a.b", &taken], OPENAI.tool_name);
    assert_eq!(names[taken.as_str()], taken);
    assert_eq!(names["a.b"].len(), "a_b_".len() + 16);
    let longer = names["a.b"].clone();
    let names = assign([&taken, &longer, "a.b"], OPENAI.tool_name);
    assert_eq!(names["a.b"].len(), "a_b_".len() + 32);
}

#[test]
fn long_names_stay_apart() {
    let (one, other) = ("a".repeat(100), "a".repeat(101));
    for charset in [OPENAI.tool_name, GEMINI.tool_name, ANTHROPIC.tool_name] {
        let names = assign([one.as_str(), &other], charset);
        assert_eq!(names[one.as_str()].len(), 64);
        assert_ne!(names[one.as_str()], names[other.as_str()]);
    }
}

#[test]
fn dialects_have_names() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.to_string().parse(), Ok(dialect));
    }
    let unknown: Result<Dialect, UnknownDialect> = "gpt".parse();
    assert_eq!(
        unknown.unwrap_err().to_string(),
        "unknown dialect `gpt`, known are: openai, openai-strict, openai-responses, \
         openai-responses-strict, anthropic, anthropic-strict, gemini, gemini-json-schema, \
         deepseek, deepseek-strict, ollama, llama-cpp, mcp",
    );
}

proptest! {
    #[test]
    fn names_are_accepted_and_differ(names in prop::collection::btree_set(".{0,80}", 0..30)) {
        for charset in [OPENAI.tool_name, GEMINI.tool_name, MCP.tool_name] {
            let given = assign(names.iter().map(String::as_str), charset);
            let reversed = assign(names.iter().rev().map(String::as_str), charset);
            prop_assert_eq!(&given, &reversed);
            prop_assert_eq!(given.values().collect::<BTreeSet<_>>().len(), names.len());
            for (own, name) in &given {
                prop_assert!(charset.accepts(name), "{name}");
                prop_assert_eq!(charset.accepts(own), own == name);
            }
        }
    }
}
