//! Values that a model might send.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Any JSON value, with the strings and numbers that mistakes are made of.
pub(crate) fn any_value() -> impl Strategy<Value = Value> {
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
pub(crate) struct Choices<'a>(std::slice::Iter<'a, u32>);

impl<'a> Choices<'a> {
    pub(crate) fn new(choices: &'a [u32]) -> Self {
        Self(choices.iter())
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0
            .next()
            .map_or(0, |choice| *choice as usize % end.max(1))
    }
}

/// A value made for `schema`; now and then something else in its place.
pub(crate) fn made_for(
    root: &Value,
    schema: &Value,
    strange: &[Value],
    choices: &mut Choices<'_>,
) -> Value {
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

/// `value` with a few of its parts replaced, written in another way, doubled or left out.
pub(crate) fn damaged(value: &Value, strange: &[Value], choices: &mut Choices<'_>) -> Value {
    match choices.below(16) {
        1 if !strange.is_empty() => return strange[choices.below(strange.len())].clone(),
        2 => return Value::String(value.to_string()),
        3 => return Value::Array(vec![value.clone()]),
        4 => return Value::Null,
        5 if let Some(number) = value.as_i64().and_then(|n| i32::try_from(n).ok()) => {
            return json!(f64::from(number));
        }
        6 if value.is_number() => {
            let ends = [
                1e18,
                1e300,
                -1e300,
                1.844_674_407_370_955_2e19,
                9.223_372_036_854_776e18,
            ];
            let mut far: Vec<Value> = ends.map(Value::from).to_vec();
            far.extend([
                json!(-1),
                json!(256),
                json!(0.5),
                json!(3.5e38),
                json!(-9.3e18),
            ]);
            return far[choices.below(far.len())].clone();
        }
        7 if let Value::String(text) = value => {
            let other = [
                text.to_uppercase(),
                format!(" {text}"),
                format!("{text}x"),
                String::new(),
            ];
            return Value::from(&*other[choices.below(other.len())]);
        }
        8 if let Value::Object(map) = value => return map.values().cloned().collect(),
        _ => {}
    }
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items
                .iter()
                .map(|item| damaged(item, strange, choices))
                .collect();
            match choices.below(12) {
                1 => drop(items.pop()),
                2 => items.extend(items.first().cloned()),
                _ => {}
            }
            Value::Array(items)
        }
        Value::Object(map) => {
            let mut damage = Map::new();
            for (name, member) in map {
                if choices.below(12) != 1 {
                    damage.insert(name.clone(), damaged(member, strange, choices));
                }
            }
            if choices.below(12) == 1 {
                let names = ["extra", "kind", "t", "c", "a", "x", "A", "1"];
                let member = strange.first().cloned().unwrap_or_default();
                damage
                    .entry(names[choices.below(names.len())])
                    .or_insert(member);
            }
            Value::Object(damage)
        }
        scalar => scalar.clone(),
    }
}
