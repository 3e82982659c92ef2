//! The paths of a call that are measured: the same tool under more and more policy.

use serde_json::Value;
use tool_core::{
    ContentBlock, Decision, Next, PostDecision, ToolDefinition, ToolExecution, ToolResult,
    ToolRuntime, ToolRuntimeBuilder, around_execute, guard, post_execute,
};

use crate::work::{Hit, SearchOut, search, search_yield};

#[guard(tool = search)]
fn few_tags(tags: &[String]) -> Option<String> {
    (tags.len() > 1_000).then(|| "too many tags".to_owned())
}

#[guard(tool = search)]
fn no_word(query: &str) -> Option<String> {
    query
        .contains("forbidden")
        .then(|| "forbidden word".to_owned())
}

#[around_execute(tool = search)]
async fn passed(next: Next<'_>) -> ToolResult {
    next.run().await
}

#[post_execute(tool = search)]
fn has_hits(value: &SearchOut) -> PostDecision<SearchOut> {
    match value.total > 1_000 {
        true => PostDecision::block("too many hits"),
        false => PostDecision::accept(),
    }
}

#[post_execute(tool = search)]
fn has_hits_of(value: &SearchOut, query: &str) -> PostDecision<SearchOut> {
    match value.total > 1_000 && query.is_empty() {
        true => PostDecision::block("too many hits"),
        false => PostDecision::accept(),
    }
}

#[post_execute(tool = search)]
fn replaced(value: &SearchOut) -> PostDecision<SearchOut> {
    let hits = value.hits.iter().map(|hit| Hit {
        title: hit.title.clone(),
        score: hit.score,
    });
    PostDecision::value(SearchOut {
        hits: hits.collect(),
        total: value.total,
    })
}

fn json_policy(builder: ToolRuntimeBuilder) -> ToolRuntimeBuilder {
    builder
        .pre_execute(
            |call: &ToolExecution| match call.arguments()["query"].is_null() {
                true => Decision::deny("no query"),
                false => Decision::Allow,
            },
        )
        .guard(|call: &ToolExecution| {
            let tags = call.arguments()["tags"].as_array().map_or(0, Vec::len);
            (tags > 1_000).then(|| "too many tags".to_owned())
        })
        .guard(|call: &ToolExecution| {
            let query = call.arguments()["query"].as_str().unwrap_or_default();
            query
                .contains("forbidden")
                .then(|| "forbidden word".to_owned())
        })
        .around_execute(passed {})
}

fn finalized() -> ToolDefinition {
    search {}
        .definition()
        .finalize_content(
            |_: &ToolExecution, result: &ToolResult| match result.content() {
                [ContentBlock::Text { text, .. }] if text.len() > 1 << 20 => {
                    Some(vec![ContentBlock::text("too long")])
                }
                _ => None,
            },
        )
}

/// The paths, from none to all of it.
pub fn runtimes() -> Vec<(&'static str, ToolRuntime)> {
    let build = |builder: ToolRuntimeBuilder| builder.build().expect("a runtime");
    let typed = |builder: ToolRuntimeBuilder| {
        builder
            .tool(finalized())
            .guard(few_tags {})
            .guard(no_word {})
            .around_execute(passed {})
    };
    let new = ToolRuntime::builder;
    vec![
        ("no hooks", build(new().tool(search {}))),
        (
            "typed policy",
            build(typed(new()).post_execute(has_hits {})),
        ),
        (
            "typed policy, the post hook takes a parameter",
            build(typed(new()).post_execute(has_hits_of {})),
        ),
        (
            "policy that reads JSON, post on text",
            build(json_policy(new().tool(finalized())).post_execute(
                |_: &ToolExecution, result: &ToolResult| match result.content() {
                    [ContentBlock::Text { text, .. }] if text.is_empty() => {
                        PostDecision::block("empty")
                    }
                    _ => PostDecision::accept(),
                },
            )),
        ),
        (
            "all of it, the post hook reads JSON",
            build(json_policy(new().tool(finalized())).post_execute(
                |_: &ToolExecution, result: &ToolResult| match result.value() {
                    Some(value) if value["total"].is_null() => PostDecision::block("no total"),
                    _ => PostDecision::accept(),
                },
            )),
        ),
        (
            "typed policy, the value replaced",
            build(typed(new()).post_execute(replaced {})),
        ),
        (
            "all of it, the value replaced and checked",
            build(json_policy(new().tool(finalized())).post_execute(
                |_: &ToolExecution, result: &ToolResult| {
                    PostDecision::value(result.value().cloned().unwrap_or(Value::Null))
                },
            )),
        ),
    ]
}

#[guard(tool = search_yield)]
fn few_tags_later(tags: &[String]) -> Option<String> {
    (tags.len() > 1_000).then(|| "too many tags".to_owned())
}

#[around_execute(tool = search_yield)]
async fn passed_later(next: Next<'_>) -> ToolResult {
    next.run().await
}

#[post_execute(tool = search_yield)]
fn has_hits_later(value: &SearchOut) -> PostDecision<SearchOut> {
    match value.total > 1_000 {
        true => PostDecision::block("too many hits"),
        false => PostDecision::accept(),
    }
}

/// The same for calls that wait once in their body.
pub fn yielding() -> Vec<(&'static str, ToolRuntime)> {
    let build = |builder: ToolRuntimeBuilder| builder.build().expect("a runtime");
    let new = || ToolRuntime::builder().tool(search_yield {});
    vec![
        ("parked in the body, no hooks", build(new())),
        (
            "parked in the body, typed policy",
            build(
                new()
                    .guard(few_tags_later {})
                    .around_execute(passed_later {})
                    .post_execute(has_hits_later {}),
            ),
        ),
    ]
}
