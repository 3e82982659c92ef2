//! What a model is shown of a result: cases C93, C95, C96, C98, C101.

use serde_json::{Value, json};
use tool_core::wire::{Provider, bound_content, bound_text};
use tool_core::{ContentBlock, ResourceContents, ToolDefinition, ToolRuntime};

use crate::fixture::{Tools, answered, call, response, showing, strings};

/// What goes back for one call of `show`.
async fn shown(provider: Provider, runtime: &ToolRuntime) -> (Vec<Value>, Value) {
    let turn = provider
        .read(&response(provider, &[call("c1", "show", json!({}))], false))
        .unwrap();
    let answers = turn.answers(&runtime.execute_batch(turn.calls()).await);
    let body = answered(provider, &answers)[0].body.clone();
    (answers, body)
}

#[test]
fn c93_head_and_tail_stay_and_the_marker_tells_the_truth() {
    let log = "x".repeat(1_000_000 - 12) + "\nerror: boom";
    let bound = bound_text(&log, 1_000);
    assert!((990..=1_000).contains(&bound.len()), "{}", bound.len());
    let (head, rest) = bound.split_once("\n[... ").unwrap();
    let (omitted, tail) = rest.split_once(" bytes omitted ...]\n").unwrap();
    assert_eq!(
        omitted.parse::<usize>().unwrap(),
        log.len() - head.len() - tail.len()
    );
    assert!(head.starts_with("xxx") && tail.ends_with("\nerror: boom"));
}

#[tokio::test]
async fn c95_replaced_and_null_characters_pass() {
    let text = String::from_utf8_lossy(&[0xff, 0xfe, b'a', 0x00]).into_owned();
    let runtime = showing(vec![ContentBlock::text(text.clone())]);
    for provider in Provider::ALL {
        let (answers, body) = shown(provider, &runtime).await;
        assert_eq!(body, text, "{provider}");
        assert!(
            json!(answers)
                .to_string()
                .contains("\u{fffd}\u{fffd}a\\u0000")
        );
    }
}

#[tokio::test]
async fn c96_base64_is_never_text() {
    let data = "iVBORw0KGgoAAAANSUhEUgAA".repeat(17_067);
    let image = ContentBlock::image(data.clone(), "image/png");
    let blocks = vec![image.clone(), ContentBlock::text("a caption")];
    // The cap on text does not touch it.
    assert_eq!(*bound_content(&blocks, 9), blocks);
    let runtime = showing(blocks);
    let url = format!("data:image/png;base64,{data}");
    for provider in Provider::ALL {
        let (answers, body) = shown(provider, &runtime).await;
        match provider {
            Provider::Anthropic => assert_eq!(
                body,
                json!([
                    {
                        "type": "image",
                        "source": { "type": "base64", "media_type": "image/png", "data": data },
                    },
                    { "type": "text", "text": "a caption" },
                ])
            ),
            Provider::OpenAiResponses => assert_eq!(
                body,
                json!([
                    { "type": "input_image", "image_url": url },
                    { "type": "input_text", "text": "a caption" },
                ])
            ),
            _ => {
                assert_eq!(body, "[image omitted: image/png, 307206 bytes]\na caption");
                let answers = json!(answers);
                let mut found = Vec::new();
                strings(&answers, &mut found);
                assert!(found.iter().all(|text| text.len() < 100), "{provider}");
            }
        }
    }
}

#[tokio::test]
async fn sounds_and_files_go_where_they_are_taken() {
    let blob = |mime_type: &str| {
        let contents = ResourceContents::Blob("JVBERg==".to_owned());
        ContentBlock::resource("file:///a", Some(mime_type.to_owned()), contents)
    };
    let runtime = showing(vec![
        ContentBlock::audio("UklGRg==", "audio/wav"),
        blob("application/pdf"),
        blob("x/y"),
    ]);
    let wav = "[audio omitted: audio/wav, 4 bytes]";
    let other = "[resource omitted: file:///a, x/y, 4 bytes]";
    for provider in Provider::ALL {
        let (_, body) = shown(provider, &runtime).await;
        let expected = match provider {
            Provider::Anthropic => json!([
                { "type": "text", "text": wav },
                { "type": "text", "text": "[resource file:///a]" },
                {
                    "type": "document",
                    "source": {
                        "type": "base64",
                        "media_type": "application/pdf",
                        "data": "JVBERg==",
                    },
                },
                { "type": "text", "text": other },
            ]),
            Provider::OpenAiResponses => json!([
                { "type": "input_text", "text": wav },
                { "type": "input_text", "text": "[resource file:///a]" },
                {
                    "type": "input_file",
                    "filename": "resource.pdf",
                    "file_data": "data:application/pdf;base64,JVBERg==",
                },
                { "type": "input_text", "text": other },
            ]),
            _ => json!(format!(
                "{wav}\n[resource omitted: file:///a, application/pdf, 4 bytes]\n{other}"
            )),
        };
        assert_eq!(body, expected, "{provider}");
    }
}

#[tokio::test]
async fn an_error_of_anthropic_is_text_alone() {
    let image = ContentBlock::image("iVBORw0KGgo=", "image/png");
    let parameters = json!({ "type": "object", "properties": {} });
    let show = ToolDefinition::dynamic("show", "Fails.", parameters, json!({}))
        .handler(|_: Value, _cx| async { Err::<Value, _>("no page") })
        .finalize_content(move |_, _| {
            Some(vec![ContentBlock::text("Error: no page"), image.clone()])
        });
    let runtime = ToolRuntime::builder().tool(show).build().unwrap();
    let (answers, _) = shown(Provider::Anthropic, &runtime).await;
    assert_eq!(
        answers[0]["content"][0],
        json!({
            "type": "tool_result",
            "tool_use_id": "c1",
            "content": "Error: no page\n[image omitted: image/png, 8 bytes]",
            "is_error": true,
        })
    );
}

#[tokio::test]
async fn c98_strings_are_shown_as_they_are() {
    for text in ["a\n\"b\"", "{\"n\":1}", "\"quoted\"", "  indented"] {
        let tools = Tools::new();
        for provider in Provider::ALL {
            let calls = [call("c1", "say", json!({ "text": text }))];
            let turn = provider.read(&response(provider, &calls, false)).unwrap();
            let answers = turn.answers(&tools.run(&turn).await);
            assert_eq!(answered(provider, &answers)[0].body, text, "{provider}");
        }
    }
    // Nor does a cut put them into quotes.
    let long = "a\n\"b\"".repeat(100);
    assert!(bound_text(&long, 100).starts_with("a\n\"b\"a\n"));
}

#[tokio::test]
async fn c101_structured_data_is_sent_once_and_compact() {
    let rows: Vec<Value> = (0..300)
        .map(|n| json!({ "id": n, "name": format!("row {n}") }))
        .collect();
    let value = json!({ "rows": rows });
    let parameters = json!({ "type": "object", "properties": {} });
    let returned = value.clone();
    let show = ToolDefinition::dynamic("show", "Shows.", parameters, json!({})).handler(
        move |_: Value, _cx| {
            let value = returned.clone();
            async move { value }
        },
    );
    let runtime = ToolRuntime::builder().tool(show).build().unwrap();
    for provider in Provider::ALL {
        let (answers, body) = shown(provider, &runtime).await;
        assert_eq!(body, value.to_string(), "{provider}");
        assert_eq!(json!(answers).to_string().matches("row 299").count(), 1);
    }
}

#[tokio::test]
async fn a_schema_as_a_result_is_text_to_gemini_and_no_reference() {
    let schema = json!({ "$ref": "#/$defs/Node", "$defs": { "Node": {} } });
    let parameters = json!({ "type": "object", "properties": {} });
    let returned = schema.clone();
    let show = ToolDefinition::dynamic("show", "Shows.", parameters, json!({})).handler(
        move |_: Value, _cx| {
            let value = returned.clone();
            async move { value }
        },
    );
    let runtime = ToolRuntime::builder().tool(show).build().unwrap();
    let (answers, _) = shown(Provider::Gemini, &runtime).await;
    assert_eq!(
        answers[0]["parts"][0]["functionResponse"]["response"],
        json!({ "output": schema.to_string() })
    );
}

#[tokio::test]
async fn nothing_blank_goes_back() {
    for (blocks, expected) in [
        (vec![], "(no output)"),
        (vec![ContentBlock::text("")], "(no output)"),
        (
            vec![ContentBlock::text(" \n"), ContentBlock::text("\t")],
            "(no output)",
        ),
        (
            vec![
                ContentBlock::text(""),
                ContentBlock::text("a"),
                ContentBlock::text(" "),
            ],
            "a",
        ),
        (
            vec![ContentBlock::text("a"), ContentBlock::text("b")],
            "a\nb",
        ),
    ] {
        let runtime = showing(blocks);
        for provider in Provider::ALL {
            let (_, body) = shown(provider, &runtime).await;
            assert_eq!(body, expected, "{provider}");
        }
    }
    let parameters = json!({ "type": "object", "properties": {} });
    let silent = ToolDefinition::dynamic("show", "Fails.", parameters, json!({}))
        .handler(|_: Value, _cx| async { Err::<Value, _>("no page") })
        .finalize_content(|_, _| Some(vec![]));
    let runtime = ToolRuntime::builder().tool(silent).build().unwrap();
    for provider in Provider::ALL {
        assert_eq!(
            shown(provider, &runtime).await.1,
            "Error: no page",
            "{provider}"
        );
    }
}
