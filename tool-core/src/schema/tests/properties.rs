//! Properties over generated texts, values and types.

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::types::{
    Adjacent, Closed, Endless, External, FlatOpen, Inner, Mode, Mutual, Node, One, Open, Shape,
    Tagged, Unit, Untagged, Wh, one,
};
use crate::schema::parse::{Limits, ParseErrorKind, parse, scan};
use crate::schema::repair::repair;
use crate::schema::validate::{Compiled, compare_values};

/// Any JSON value, with the strings and numbers that mistakes are made of.
pub(super) fn any_value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-20i64..300).prop_map(Value::from),
        any::<f64>()
            .prop_filter("finite", |f| f.is_finite())
            .prop_map(Value::from),
        (-20i32..300).prop_map(|n| Value::from(f64::from(n))),
        Just(json!(-0.0)),
    ];
    let word = prop_oneof![
        any::<String>(),
        "[a-c]{0,2}",
        "-?[0-9]{1,3}(\\.[0-9])?",
        prop::sample::select(vec![
            "kind", "dot", "circle", "rect", "w", "h", "r", "v", "kids", "true", "[]", "{}", "[1]",
            "null", "Fast", "Celsius", "t", "c", "A", "B", "None",
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A choice per step, taken from generated numbers, so that failures shrink.
pub(super) struct Choices<'a>(std::slice::Iter<'a, u32>);

impl Choices<'_> {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0
            .next()
            .map_or(0, |choice| *choice as usize % end.max(1))
    }
}

/// A value made for `schema`; now and then something else in its place.
fn made_for(root: &Value, schema: &Value, strange: &[Value], choices: &mut Choices<'_>) -> Value {
    if choices.below(24) == 1 && !strange.is_empty() {
        return strange[choices.below(strange.len())].clone();
    }
    if let Some(reference) = schema["$ref"].as_str() {
        return made_for(
            root,
            root.pointer(&reference[1..]).unwrap(),
            strange,
            choices,
        );
    }
    if let Some(values) = schema["enum"].as_array() {
        return values[choices.below(values.len())].clone();
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    let mut members = Map::new();
    if let Some(arms) = schema["anyOf"].as_array() {
        let arm = made_for(root, &arms[choices.below(arms.len())], strange, choices);
        match arm {
            Value::Object(map) if schema.get("properties").is_some() => members = map,
            other => return other,
        }
    }
    let word = match &schema["type"] {
        Value::Array(words) => words[choices.below(words.len())]
            .as_str()
            .unwrap_or_default(),
        word => word.as_str().unwrap_or_default(),
    };
    match word {
        "null" => Value::Null,
        "boolean" => Value::from(choices.below(2) == 1),
        "integer" => match choices.below(6) {
            0 => schema["maximum"].clone(),
            1 => schema["minimum"].clone(),
            2 => json!(-1),
            3 => json!(7.0),
            4 => json!("12"),
            n => json!(n),
        },
        "number" => [json!(1.5), json!(2), json!(-0.0), json!("2.5")][choices.below(4)].clone(),
        "string" => ["", "a", "[1]", "12", "é"].map(Value::from)[choices.below(5)].clone(),
        "array" => {
            let prefix = schema["prefixItems"]
                .as_array()
                .map_or(&[][..], Vec::as_slice);
            let length = match schema["minItems"].as_u64() {
                Some(least) => usize::try_from(least).unwrap() + choices.below(2),
                None => choices.below(3),
            };
            let any = json!({});
            (0..length)
                .map(|index| {
                    let item = prefix.get(index).or(schema.get("items")).unwrap_or(&any);
                    made_for(root, item, strange, choices)
                })
                .collect()
        }
        "object" => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                if choices.below(20) > 1
                    && (required.contains(&json!(name)) || choices.below(2) == 1)
                {
                    members.insert(name.clone(), made_for(root, property, strange, choices));
                }
            }
            let rest = schema["additionalProperties"].clone();
            if rest != json!(false) && choices.below(4) == 1 {
                members.insert("extra".to_owned(), made_for(root, &rest, strange, choices));
            }
            Value::Object(members)
        }
        _ => strange.first().cloned().unwrap_or_default(),
    }
}

/// What the pipeline does with `{"x": ..}`, and what the type says.
fn sound<T: JsonSchema + DeserializeOwned + serde::Serialize>(
    choices: &[u32],
    strange: &[Value],
) -> Result<(), TestCaseError> {
    let schema = one::<T>().schema;
    let compiled = Compiled::new(schema.clone()).unwrap();
    let mut value = made_for(&schema, &schema, strange, &mut Choices(choices.iter()));
    let before = value.clone();
    let was_valid = compiled.is_valid(&value);
    let done = repair(&schema, &mut value);
    if was_valid {
        prop_assert!(
            compare_values(&before, &value).is_eq(),
            "{before} became {value}: {done:?}"
        );
    }
    prop_assert!(
        repair(&schema, &mut value.clone()).is_empty(),
        "repaired twice: {before}"
    );
    let verdict = compiled.check(&value);
    prop_assert_eq!(verdict.is_ok(), compiled.is_valid(&value));
    if let Err(violations) = &verdict {
        let said = violations.to_string();
        prop_assert!(
            !violations.listed.is_empty() && said.len() < 8_000,
            "{said}"
        );
    }
    let Some(x) = value.get("x") else {
        return Ok(());
    };
    let decoded = serde_json::from_value::<T>(x.clone());
    match (verdict, decoded) {
        // A root with more than `x`, or a number that only JSON Schema calls an integer.
        (Ok(()), Err(error)) => {
            let is_big = error.to_string().contains("floating point");
            prop_assert!(is_big, "the schema accepts {x}, serde says: {error}");
        }
        // serde also reads arrays as structs and `{"A": null}` as a unit variant; what it read is
        // accepted in its own form.
        (_, Ok(decoded)) => {
            let again = json!({"x": serde_json::to_value(&decoded).unwrap()});
            prop_assert!(
                compiled.check(&again).is_ok(),
                "serde reads {x}, the schema refuses {again}"
            );
        }
        (Err(_), Err(_)) => {}
    }
    Ok(())
}

macro_rules! soundness {
    ($($name:ident: $type:ty),* $(,)?) => {
        $(proptest! {
            #![proptest_config(ProptestConfig::with_cases(96))]

            #[test]
            fn $name(
                choices in prop::collection::vec(any::<u32>(), 0..60),
                strange in prop::collection::vec(any_value(), 0..3),
            ) {
                sound::<$type>(&choices, &strange)?;
            }
        })*
    };
}

soundness! {
    sound_u8: u8, sound_u64: u64, sound_i64: i64, sound_f64: f64, sound_bool: bool,
    sound_string: String, sound_char: char, sound_option: Option<u32>, sound_unit: (),
    sound_vec: Vec<Option<i16>>, sound_tuple: (f64, String), sound_array: [u8; 3],
    sound_map: std::collections::BTreeMap<String, u8>, sound_value: Value,
    sound_struct: Wh, sound_closed: Closed, sound_open: Open, sound_flat: FlatOpen,
    sound_defaults: Inner, sound_shape: Shape, sound_tagged: Tagged, sound_external: External,
    sound_adjacent: Adjacent, sound_untagged: Untagged, sound_node: Node, sound_mutual: Mutual,
    sound_endless: Endless, sound_mode: Mode, sound_one: One, sound_unit_enum: Option<Unit>,
    sound_result: Result<u8, Shape>, sound_option_shape: Option<Shape>,
}

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
        let text = written(&value, &mut Choices(choices.iter()));
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
        let mut chars: Vec<char> = written(&value, &mut Choices(choices.iter())).chars().collect();
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
        if !repair(&schema, &mut value).is_empty() {
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
