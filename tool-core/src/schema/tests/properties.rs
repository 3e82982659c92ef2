//! Properties over generated texts and values.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::generate::{Choices, any_value};
use super::types::one;
use crate::schema::parse::{Limits, ParseErrorKind, parse, scan};
use crate::schema::repair::repair;

/// The same value as text, with space and escapes where JSON takes them.
fn written(value: &Value, choices: &mut Choices<'_>) -> String {
    let space = ["", " ", "\n\t", "\r"][choices.below(4)];
    let string = |text: &str, choices: &mut Choices<'_>| {
        if choices.below(3) == 1 {
            let units: Vec<String> = text.encode_utf16().map(|u| format!("\\u{u:04x}")).collect();
            format!("\"{}\"", units.concat())
        } else {
            Value::from(text).to_string()
        }
    };
    match value {
        Value::String(text) => string(text, choices),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| written(item, choices)).collect();
            format!(
                "[{space}{}{space}]",
                items.join(&format!("{space},{space}"))
            )
        }
        Value::Object(map) => {
            let members: Vec<String> = map
                .iter()
                .map(|(key, member)| {
                    format!(
                        "{}{space}:{space}{}",
                        string(key, choices),
                        written(member, choices)
                    )
                })
                .collect();
            format!("{{{space}{}{space}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

/// Whether strict parsing and `serde_json` agree, as far as they should.
fn agree(text: &str) -> Result<(), TestCaseError> {
    let ours = parse(text, Limits::default());
    prop_assert_eq!(ours.clone().err(), scan(text).err());
    match (ours, serde_json::from_str::<Value>(text)) {
        (Ok(ours), Ok(theirs)) => {
            prop_assert_eq!(ours.to_string(), theirs.to_string());
            prop_assert_eq!(ours, theirs);
        }
        (Err(error), Ok(_)) => prop_assert!(
            matches!(
                error.kind,
                ParseErrorKind::DuplicateKey | ParseErrorKind::Number
            ),
            "refuses what serde_json reads: {error}: {text:?}"
        ),
        (Ok(value), Err(error)) => {
            prop_assert!(false, "reads {value}, serde_json says: {error}: {text:?}");
        }
        (Err(_), Err(_)) => {}
    }
    Ok(())
}

proptest! {
    #[test]
    fn parse_reads_what_serde_json_reads(
        value in any_value(),
        choices in prop::collection::vec(any::<u32>(), 0..40),
    ) {
        let text = written(&value, &mut Choices::new(&choices));
        prop_assert_eq!(parse(&text, Limits::default()), serde_json::from_str(&text).map_err(|e| unreachable!("{e}")));
        agree(&text)?;
    }

    #[test]
    fn parse_agrees_on_damaged_texts(
        value in any_value(),
        choices in prop::collection::vec(any::<u32>(), 0..40),
        at in any::<prop::sample::Index>(),
        insert in "[\\[\\]{}\",:\\\\0-9eE.+\\-tfnu \n'/]{0,2}",
        remove in 0usize..3,
    ) {
        let mut chars: Vec<char> = written(&value, &mut Choices::new(&choices)).chars().collect();
        let at = at.index(chars.len());
        let end = chars.len().min(at + remove);
        chars.splice(at..end, insert.chars());
        agree(&chars.into_iter().collect::<String>())?;
    }

    #[test]
    fn parse_agrees_on_any_text(text in "[\\[\\]{}\",:\\\\0-9eE.+\\-a-z é\u{0}-\u{1f}]{0,12}") {
        agree(&text)?;
    }

    #[test]
    fn numbers_are_read_as_serde_json_reads_them(text in "-?[0-9]{1,21}(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?") {
        agree(&text)?;
    }

    /// A text is read as a number only if the number is written as that text means.
    #[test]
    fn no_digit_is_lost_in_a_repair(text in "-?[0-9]{1,25}(\\.[0-9]{1,20})?") {
        let schema = one::<f64>().schema;
        let mut value = json!({"x": text});
        if !repair(&schema, &mut value, None).is_empty() {
            let shown = value["x"].to_string();
            let plain = |text: &str| {
                let text = text.strip_prefix('-').unwrap_or(text).to_owned();
                if text.contains('.') {
                    text.trim_end_matches('0').trim_end_matches('.').to_owned()
                } else {
                    text
                }
            };
            // Written with an exponent, the digits are compared as a double.
            let same = plain(&shown) == plain(&text)
                || shown.contains('e') && shown.parse::<f64>().ok() == text.parse::<f64>().ok();
            prop_assert!(same, "{text} became {shown}");
        }
    }
}
