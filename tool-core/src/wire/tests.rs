use proptest::prelude::*;
use serde_json::{Value, json};

use super::part::{self, Accepts, Part};
use super::{Provider, arguments, bound_content, bound_text, ids, names};
use crate::call::RawArguments;
use crate::content::{ContentBlock, ResourceContents};

fn unique(given: &[Option<&str>]) -> Vec<String> {
    let ids = ids::unique(given.iter().copied(), || "0a1b2c3d".to_owned());
    ids.iter().map(ToString::to_string).collect()
}

#[test]
fn the_first_call_with_an_id_keeps_it() {
    assert_eq!(
        unique(&[Some("c1"), Some("c1"), Some("c2"), Some("c1"), Some("c2")]),
        ["c1", "c1_2", "c2", "c1_3", "c2_2"]
    );
}

#[test]
fn a_suffix_never_takes_an_id_that_a_later_call_has() {
    assert_eq!(
        unique(&[Some("c"), Some("c"), Some("c_2"), Some("c")]),
        ["c", "c_3", "c_2", "c_4"]
    );
}

#[test]
fn missing_and_blank_ids_are_made_up() {
    assert_eq!(
        unique(&[None, Some(""), Some(" \n"), Some("call_0a1b2c3d_2")]),
        [
            "call_0a1b2c3d_1",
            "call_0a1b2c3d_3",
            "call_0a1b2c3d_4",
            "call_0a1b2c3d_2"
        ]
    );
}

#[test]
fn a_suffixed_id_is_no_longer_than_40_characters() {
    let long = format!("chatcmpl-tool-{}", "é".repeat(30));
    let ids = unique(&[Some(&long), Some(&long), Some(&long)]);
    assert_eq!(ids[0], long);
    assert_eq!(ids[1], format!("chatcmpl-tool-{}_2", "é".repeat(9)));
    assert!(ids[2].ends_with("_3") && ids[2].len() <= 40, "{}", ids[2]);
}

#[test]
fn very_many_repeated_ids_take_linear_time() {
    let given = vec![Some("c"); 50_000];
    let ids = unique(&given);
    assert_eq!(ids[49_999], "c_50000");
}

#[test]
fn names_that_a_provider_refuses_are_mended_for_the_history() {
    let chat = |name| names::for_history(Provider::OpenAiChat, name);
    assert_eq!(chat("get_weather-2"), "get_weather-2");
    assert_eq!(chat("browser.tabs.open"), "browser_tabs_open");
    assert_eq!(chat("größe"), "gr__e");
    assert_eq!(chat(""), "unnamed");
    assert_eq!(chat(&"x".repeat(100)), "x".repeat(64));
    assert_eq!(
        names::for_history(Provider::Gemini, "browser.tabs open"),
        "browser.tabs_open"
    );
    assert_eq!(
        names::for_history(Provider::Ollama, "browser.tabs open"),
        "browser.tabs open"
    );
    assert_eq!(names::for_history(Provider::Ollama, " "), "unnamed");
    assert_eq!(names::for_history(Provider::Gemini, "1st"), "_1st");
    let long = "1".repeat(64);
    assert_eq!(
        names::for_history(Provider::Gemini, &long),
        format!("_{}", &long[1..])
    );
}

#[test]
fn arguments_are_read_as_they_came() {
    let text = |text: &str| RawArguments::Text(text.to_owned());
    let read = |sent: Value| arguments::read(Some(&sent), false);
    assert_eq!(arguments::read(None, false), text(""));
    assert_eq!(read(Value::Null), text(""));
    assert_eq!(read(json!("{ \"a\" :1}")), text("{ \"a\" :1}"));
    assert_eq!(read(json!({"a": 1})), RawArguments::Json(json!({"a": 1})));
    assert_eq!(read(json!([1])), RawArguments::Json(json!([1])));
}

#[test]
fn arguments_that_may_be_cut_are_read_as_incomplete_unless_they_show_that_they_are_not() {
    let text = |text: &str| RawArguments::Text(text.to_owned());
    let read = |sent: Value| arguments::read(Some(&sent), true);
    assert_eq!(arguments::read(None, true), text("{"));
    assert_eq!(read(json!(" ")), text("{"));
    assert_eq!(read(json!("null")), text("{"));
    assert_eq!(read(json!(r#"{"a":1"#)), text(r#"{"a":1"#));
    assert_eq!(read(json!(r#"{"a":1}"#)), text(r#"{"a":1}"#));
    assert_eq!(read(json!({"a": 1})), text(r#"{"a":1"#));
    assert_eq!(read(json!({})), text("{"));
}

#[test]
fn text_in_a_history_is_the_models_own_if_it_is_an_object() {
    let replayed = |sent: Value| arguments::replayed_text(Some(&sent));
    for own in [
        r#"{"b":1, "a":1.50}"#,
        " {} ",
        r#"{"a":1,"a":2}"#,
        r#"{"a":18446744073709551616}"#,
    ] {
        assert_eq!(replayed(json!(own)), own);
    }
    assert_eq!(replayed(json!(r#""{\"q\":\"x\"}""#)), r#"{"q":"x"}"#);
    assert_eq!(replayed(json!("```json\n{\"w\":1}\n```")), r#"{"w":1}"#);
    assert_eq!(replayed(json!({"q": "x"})), r#"{"q":"x"}"#);
    for other in [
        "",
        "null",
        "[1,2]",
        "5",
        r#"{"a":"#,
        r#"{"a":1e999}"#,
        r#"{"a":"\ud800"}"#,
        "\u{feff}{}",
    ] {
        assert_eq!(replayed(json!(other)), "{}", "{other:?}");
    }
    assert_eq!(arguments::replayed_text(None), "{}");
}

#[test]
fn an_object_in_a_history_is_the_models_own_or_the_one_inside_a_text() {
    let replayed = |sent: Value| arguments::replayed_object(Some(&sent));
    assert_eq!(replayed(json!({"a": [1]})), json!({"a": [1]}));
    assert_eq!(replayed(json!(r#"{"a":[1]}"#)), json!({"a": [1]}));
    assert_eq!(replayed(json!(r#"{"a":1,"a":2}"#)), json!({"a": 2}));
    for other in [
        json!(null),
        json!([1, 2]),
        json!("{\"a\":"),
        json!(5),
        json!("x"),
    ] {
        assert_eq!(replayed(other.clone()), json!({}), "{other}");
    }
    assert_eq!(arguments::replayed_object(None), json!({}));
}

#[test]
fn restored_text_stays_text_if_nothing_changed() {
    let restored = |raw: &str, restore: fn(Value) -> Value| {
        let mut arguments = RawArguments::from(raw);
        arguments::restore(&mut arguments, restore);
        arguments
    };
    let drop_null = |mut value: Value| {
        value
            .as_object_mut()
            .unwrap()
            .retain(|_, member| !member.is_null());
        value
    };
    assert_eq!(
        restored(r#"{ "q" : 1 }"#, drop_null),
        RawArguments::from(r#"{ "q" : 1 }"#)
    );
    assert_eq!(
        restored(r#"{"q":1,"n":null}"#, drop_null),
        RawArguments::Json(json!({"q": 1}))
    );
    assert_eq!(
        restored(r#"{"q":"#, drop_null),
        RawArguments::from(r#"{"q":"#)
    );
    assert_eq!(restored("[null]", drop_null), RawArguments::from("[null]"));
}

/// `text` for each part that is text, else the MIME type.
fn shown(block: &ContentBlock, accepts: &Accepts) -> Vec<String> {
    let show = |part: &Part<'_>| match part {
        Part::Text(text) => text.to_string(),
        Part::Image { mime_type, .. } => format!("<{mime_type}>"),
        Part::Document {
            mime_type, name, ..
        } => format!("<{mime_type} {name}>"),
    };
    part::of(block, accepts).iter().map(show).collect()
}

const SOME: Accepts = Accepts {
    images: &["image/png"],
    documents: &["application/pdf"],
};

#[test]
fn what_a_provider_does_not_take_is_named_with_kind_type_and_size() {
    let png = ContentBlock::image("iVBORw0KGgo=", "image/png");
    assert_eq!(shown(&png, &SOME), ["<image/png>"]);
    assert_eq!(
        shown(&png, &Accepts::TEXT),
        ["[image omitted: image/png, 8 bytes]"]
    );
    let tiff = ContentBlock::image("SQ==", "image/tiff");
    assert_eq!(shown(&tiff, &SOME), ["[image omitted: image/tiff, 1 byte]"]);
    let wav = ContentBlock::audio("UklGRg==", "audio/wav");
    assert_eq!(shown(&wav, &SOME), ["[audio omitted: audio/wav, 4 bytes]"]);
}

#[test]
fn resources_come_with_their_uri() {
    let resource = |mime_type: Option<&str>, contents| {
        ContentBlock::resource("file:///a", mime_type.map(str::to_owned), contents)
    };
    let text = || ResourceContents::Text("# A".to_owned());
    let blob = || ResourceContents::Blob("JVBERg==".to_owned());
    assert_eq!(
        shown(&resource(None, text()), &SOME),
        ["[resource file:///a]\n# A"]
    );
    assert_eq!(
        shown(&resource(Some("text/markdown"), text()), &SOME),
        ["[resource file:///a, text/markdown]\n# A"]
    );
    assert_eq!(
        shown(&resource(Some("application/pdf"), blob()), &SOME),
        ["[resource file:///a]", "<application/pdf resource.pdf>"]
    );
    assert_eq!(
        shown(&resource(None, blob()), &SOME),
        ["[resource omitted: file:///a, application/octet-stream, 4 bytes]"]
    );
}

#[test]
fn no_uri_brings_base64_or_lines_into_a_text() {
    let blob = |uri: &str| ContentBlock::resource(uri, None, ResourceContents::Blob("SQ==".into()));
    assert_eq!(
        shown(&blob("data:image/png;base64,iVBORw0KGgo="), &SOME),
        ["[resource omitted: data:image/png;base64…, application/octet-stream, 1 byte]"]
    );
    let long = format!("file:///\n{}", "ä".repeat(10_000));
    let line = &shown(&blob(&long), &SOME)[0];
    assert_eq!(
        *line,
        format!(
            "[resource omitted: file:/// {}…, application/octet-stream, 1 byte]",
            "ä".repeat(191)
        )
    );
}

#[test]
fn a_limit_too_small_for_the_marker_leaves_the_head() {
    assert_eq!(bound_text("äöü and so on for a while", 5), "äö");
    assert_eq!(bound_text("äöü", 0), "");
    assert_eq!(bound_text("", 0), "");
}

#[test]
fn one_marker_stands_for_everything_that_is_missing_between_blocks() {
    let image = ContentBlock::image("iVBORw0KGgo=", "image/png");
    let blocks = [
        ContentBlock::text("a".repeat(40)),
        ContentBlock::text("b".repeat(40)),
        image.clone(),
        ContentBlock::text("c".repeat(40)),
        ContentBlock::text("d".repeat(40)),
    ];
    assert_eq!(
        *bound_content(&blocks, 120),
        [
            ContentBlock::text("a".repeat(40)),
            ContentBlock::text("bbbbb\n[... 69 bytes omitted ...]\n"),
            image,
            ContentBlock::text("cccccc"),
            ContentBlock::text("d".repeat(40)),
        ]
    );
}

#[test]
fn a_resource_of_which_nothing_is_left_keeps_its_uri() {
    let resource = |text: &str| {
        let text = ResourceContents::Text(text.to_owned());
        ContentBlock::resource("file:///a", Some("text/plain".to_owned()), text)
    };
    let blocks = [
        ContentBlock::text("h".repeat(100)),
        resource(&"r".repeat(100)),
        ContentBlock::text("t".repeat(100)),
    ];
    assert_eq!(
        *bound_content(&blocks, 50),
        [
            ContentBlock::text("hhhhhhhhhh\n[... 279 bytes omitted ...]\n"),
            resource(""),
            ContentBlock::text("ttttttttttt"),
        ]
    );
}

/// The number in the only marker of a text.
fn marked(text: &str) -> Option<usize> {
    let (_, rest) = text.split_once("\n[... ")?;
    let (number, rest) = rest.split_once(" bytes omitted ...]\n")?;
    assert!(!rest.contains(" bytes omitted ...]"), "two markers");
    number.parse().ok()
}

proptest! {
    #[test]
    fn a_bound_text_is_head_marker_and_tail(text in "[a-zäß€𝄞\n]{0,300}", max in 0usize..400) {
        let bound = bound_text(&text, max);
        prop_assert!(bound.len() <= max);
        if text.len() <= max {
            prop_assert_eq!(&*bound, &*text);
        } else if let Some(omitted) = marked(&bound) {
            let marker = format!("\n[... {omitted} bytes omitted ...]\n");
            let (head, tail) = bound.split_once(&marker).unwrap();
            prop_assert!(text.starts_with(head) && text.ends_with(tail));
            prop_assert_eq!(head.len() + omitted + tail.len(), text.len());
        } else {
            prop_assert!(text.starts_with(&*bound));
        }
    }

    #[test]
    fn bound_content_is_the_bound_of_all_its_text(
        texts in prop::collection::vec(("[aß€𝄞]{0,60}", any::<bool>()), 0..8),
        max in 0usize..300,
    ) {
        let mut blocks = Vec::new();
        for (text, resource) in &texts {
            blocks.push(ContentBlock::image("AAAA", "image/png"));
            blocks.push(if *resource {
                ContentBlock::resource("u:", None, ResourceContents::Text(text.clone()))
            } else {
                ContentBlock::text(text)
            });
        }
        let bound = bound_content(&blocks, max);
        let text: String = texts.iter().map(|(text, _)| text.as_str()).collect();
        let mut shown = String::new();
        let mut images = 0;
        for block in &*bound {
            match block {
                ContentBlock::Text { text } => shown.push_str(text),
                ContentBlock::Resource { resource } => match &resource.contents {
                    ResourceContents::Text(text) => shown.push_str(text),
                    ResourceContents::Blob(_) => unreachable!(),
                },
                _ => images += 1,
            }
        }
        prop_assert_eq!(images, texts.len());
        prop_assert!(shown.len() <= max);
        match marked(&shown) {
            Some(omitted) => {
                let marker = format!("\n[... {omitted} bytes omitted ...]\n");
                prop_assert_eq!(shown.len() - marker.len() + omitted, text.len());
                let (head, tail) = shown.split_once(&marker).unwrap();
                prop_assert!(text.starts_with(head) && text.ends_with(tail));
            }
            None => prop_assert!(text.starts_with(&shown)),
        }
    }
}
