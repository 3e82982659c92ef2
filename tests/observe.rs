//! Spans: whole trees of them, for every way a call can go.

#[path = "observe/capture.rs"]
mod capture;
mod support;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tool_code_mode::QuickJs;
use tool_core::{
    Approval, ApprovalRequest, Decision, Next, PostDecision, Presentation, RunContext, ToolCall,
    ToolError, ToolExecution, ToolResult, ToolRuntime, ToolRuntimeBuilder, around_execute, guard,
    on_result, post_execute, pre_execute, tool,
};
use tracing::Level;

use capture::Capture;
use support::{Record, call, code, panic_now, pending_times};

/// Greets somebody by name.
#[tool(concurrency_safe)]
async fn hello(
    /// Who to greet.
    name: String,
) -> String {
    pending_times(2).await;
    tracing::info!("greeting");
    format!("Hello, {name}!")
}

#[pre_execute]
fn ask_first(_call: &ToolExecution) -> Decision {
    Decision::Ask(Some("may it?".to_owned()))
}

/// Waits, as one that looks into a database would.
#[guard(tool = hello)]
async fn not_world(name: &str) -> Option<String> {
    let denied = name == "World";
    pending_times(1).await;
    denied.then(|| "the whole world".to_owned())
}

#[around_execute]
async fn timed(_call: &ToolExecution, next: Next<'_>) -> ToolResult {
    next.run().await
}

#[post_execute(tool = hello)]
async fn calm_down(value: &str) -> PostDecision<String> {
    let calm = value.replace('!', ".");
    pending_times(1).await;
    PostDecision::value(calm)
}

#[guard]
fn breaks(_call: &ToolExecution) -> Option<String> {
    panic_now()
}

#[on_result]
fn count(_call: &ToolExecution, _result: &ToolResult) {}

fn greeter() -> ToolRuntimeBuilder {
    ToolRuntime::builder()
        .tool(hello {})
        .guard(not_world {})
        .post_execute(calm_down {})
}

fn greet(call_id: &str, name: &str) -> ToolCall {
    ToolCall::new(call_id, "hello", json!({"name": name}))
}

/// What is in every span of a call of `hello`.
fn hello_span(call_id: &str) -> String {
    format!(
        "execute_tool otel.name=execute_tool hello gen_ai.operation.name=execute_tool \
         gen_ai.tool.name=hello gen_ai.tool.call.id={call_id} gen_ai.tool.type=function \
         gen_ai.tool.description=Greets somebody by name."
    )
}

/// What is in every span of a call of a tool made by `support::tool`.
fn span_of(tool: &str, call_id: &str) -> String {
    format!(
        "execute_tool otel.name=execute_tool {tool} gen_ai.operation.name=execute_tool \
         gen_ai.tool.name={tool} gen_ai.tool.call.id={call_id} gen_ai.tool.type=function \
         gen_ai.tool.description=For tests."
    )
}

fn hook(station: &str, hook: &str, said: &str) -> String {
    format!("hook otel.name={station} {hook} station={station} hook={hook} said={said}")
}

#[track_caller]
fn assert_tree(capture: &Capture, expected: &[String]) {
    let tree = capture.tree();
    assert_eq!(tree.lines().collect::<Vec<_>>(), expected, "\n{tree}");
    assert_eq!(capture.open(), 0, "a span was left open");
}

#[test]
fn a_call_is_a_span_and_each_hook_one_below_it() {
    let runtime = greeter()
        .pre_execute(ask_first {})
        .approver(async |_: ApprovalRequest| {
            pending_times(1).await;
            tracing::info!("asked");
            Approval::AllowedOnce
        })
        .around_execute(timed {})
        .on_result(count {})
        .trace_content(true)
        .build()
        .unwrap();
    let capture = Capture::default();
    let result = capture.run(Level::DEBUG, runtime.execute(greet("call_1", "Ada")));
    assert_eq!(result.text(), "Hello, Ada.");
    assert_tree(
        &capture,
        &[
            hello_span("call_1")
                + r#" gen_ai.tool.call.arguments={"name":"Ada"} gen_ai.tool.call.result=Hello, Ada."#,
            format!("  {}", hook("pre_execute", "ask_first", "asked")),
            format!("  {}", hook("guard", "not_world", "abstained")),
            "  approval station=approval said=granted".to_owned(),
            "    event observe message=asked".to_owned(),
            format!("  {}", hook("guard", "not_world", "abstained")),
            format!("  {}", hook("around_execute", "timed", "succeeded")),
            "    event observe message=greeting".to_owned(),
            format!("  {}", hook("post_execute", "calm_down", "replaced_value")),
            format!("  {}", hook("on_result", "count", "observed")),
        ],
    );
}

#[test]
fn at_level_info_a_call_is_one_span_without_content() {
    let runtime = greeter().around_execute(timed {}).build().unwrap();
    let capture = Capture::default();
    let result = capture.run(Level::INFO, runtime.execute(greet("call_1", "Ada")));
    assert!(!result.is_error());
    let event = "  event observe message=greeting".to_owned();
    assert_tree(&capture, &[hello_span("call_1"), event]);
}

#[test]
fn a_hook_of_a_scope_names_it() {
    let runtime = greeter().build().unwrap();
    let agent = runtime.scope("agent1").unwrap();
    agent.guard(breaks {});
    let capture = Capture::default();
    let call = greet("call_1", "Ada").scope(&agent);
    let result = capture.run(Level::DEBUG, runtime.execute(call));
    assert_eq!(code(&result), "HOOK_FAILED");
    assert_tree(
        &capture,
        &[
            hello_span("call_1") + " error.type=HOOK_FAILED otel.status_code=ERROR",
            format!("  {}", hook("guard", "not_world", "abstained")),
            "  hook otel.name=guard breaks station=guard hook=breaks scope=agent1 said=failed \
             error.type=HOOK_FAILED otel.status_code=ERROR"
                .to_owned(),
            "    event tool_core::contain message=user code panicked \
             panic=the payload of a panic"
                .to_owned(),
        ],
    );
}

#[test]
fn the_code_of_a_failure_is_its_type() {
    let runtime = greeter()
        .tool(support::tool("fails", |_, _| async {
            Err::<Value, _>(ToolError::new("no luck").with_code("NO_LUCK"))
        }))
        .trace_content(true)
        .build()
        .unwrap();
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let calls = [
        (greet("call_1", "World"), "DENIED", hello_span("call_1")),
        (
            ToolCall::new("call_2", "hello", r#"{"name":5}"#),
            "INVALID_ARGS",
            hello_span("call_2"),
        ),
        (
            call("call_3", "fails"),
            "NO_LUCK",
            span_of("fails", "call_3"),
        ),
        (
            call("call_4", "missing"),
            "UNKNOWN_TOOL",
            // There is no description of what does not exist.
            span_of("missing", "call_4").replace(" gen_ai.tool.description=For tests.", ""),
        ),
        (
            greet("call_5", "Ada").cancel(cancelled),
            "ABORTED_BEFORE_DISPATCH",
            hello_span("call_5"),
        ),
    ];
    for (call, code, span) in calls {
        let capture = Capture::default();
        let arguments = match call.arguments() {
            tool_core::RawArguments::Text(text) => text.clone(),
            tool_core::RawArguments::Json(value) => value.to_string(),
        };
        let result = capture.run(Level::INFO, runtime.execute(call));
        assert_eq!(support::code(&result), code);
        assert_tree(
            &capture,
            &[format!(
                "{span} error.type={code} otel.status_code=ERROR \
                 gen_ai.tool.call.arguments={arguments}"
            )],
        );
    }
}

#[test]
fn calls_that_overlap_keep_their_hooks_apart() {
    let runtime = greeter().around_execute(timed {}).build().unwrap();
    let capture = Capture::default();
    let calls = [
        greet("call_1", "Ada"),
        greet("call_2", "World"),
        greet("call_3", "Grace"),
    ];
    let results = capture.run(Level::DEBUG, async {
        let stream = runtime.batch(calls).stream();
        stream.collect::<Vec<_>>().await
    });
    assert_eq!(results.len(), 3);
    let mut expected = Vec::new();
    for call_id in ["call_1", "call_2", "call_3"] {
        if call_id == "call_2" {
            expected.push(hello_span(call_id) + " error.type=DENIED otel.status_code=ERROR");
            expected.push(format!("  {}", hook("guard", "not_world", "denied")));
            let post = hook("post_execute", "calm_down", "accepted");
            expected.push(format!("  {post}"));
            continue;
        }
        expected.push(hello_span(call_id));
        expected.push(format!("  {}", hook("guard", "not_world", "abstained")));
        expected.push(format!(
            "  {}",
            hook("around_execute", "timed", "succeeded")
        ));
        expected.push("    event observe message=greeting".to_owned());
        expected.push(format!(
            "  {}",
            hook("post_execute", "calm_down", "replaced_value")
        ));
    }
    assert_tree(&capture, &expected);
}

#[test]
fn a_nested_call_is_below_the_call_that_makes_it() {
    let runtime = ToolRuntime::builder()
        .tool(support::tool("inner", |_, _| async { json!("done") }))
        .tool(support::tool("outer", |_, cx: RunContext| async move {
            let text = cx.call_by_name("inner", "{}").await.text();
            // A task of its own is in no span.
            let elsewhere = cx.clone();
            let task = tokio::spawn(async move { elsewhere.call_by_name("inner", "{}").await });
            json!([text, task.await.unwrap().text()])
        }))
        .build()
        .unwrap();
    let capture = Capture::default();
    let result = capture.run(Level::DEBUG, runtime.execute(call("call_1", "outer")));
    assert_eq!(result.value(), Some(&json!(["done", "done"])));
    assert_tree(
        &capture,
        &[
            span_of("outer", "call_1"),
            format!("  {}", span_of("inner", "call_1:1")),
            format!("  {}", span_of("inner", "call_1:2")),
        ],
    );
}

#[test]
fn a_context_that_outlives_its_call_holds_no_span_open() {
    let kept: Arc<Mutex<Option<RunContext>>> = Arc::default();
    let keeper = kept.clone();
    let runtime = ToolRuntime::builder()
        .tool(support::tool("inner", |_, _| async { json!("done") }))
        .tool(support::tool("outer", move |_, cx: RunContext| {
            *keeper.lock().unwrap() = Some(cx);
            async { json!("kept") }
        }))
        .build()
        .unwrap();
    let capture = Capture::default();
    capture.run(Level::DEBUG, async {
        assert!(!runtime.execute(call("call_1", "outer")).await.is_error());
        assert_eq!(capture.open(), 0);
        let cx = kept.lock().unwrap().take().unwrap();
        assert!(!cx.call_by_name("inner", "{}").await.is_error());
    });
    assert_tree(
        &capture,
        &[span_of("outer", "call_1"), span_of("inner", "call_1:1")],
    );
}

#[test]
fn calls_of_a_program_are_below_the_run_of_it() {
    let runtime = ToolRuntime::builder()
        .tool(support::tool("inner", |_, _| async { json!("done") }))
        .code_runtime(QuickJs::new())
        .presentation(Presentation::Code)
        .build()
        .unwrap();
    let capture = Capture::default();
    let program = json!({
        "description": "Calls twice",
        "code": "await tools.inner({}); return await tools.inner({});",
    });
    let call = ToolCall::new("call_1", "run_code", program);
    let result = capture.run(Level::INFO, runtime.execute(call));
    assert_eq!(result.text(), "done");
    let tree = capture.tree();
    let lines: Vec<_> = tree.lines().collect();
    assert!(lines[0].starts_with("execute_tool otel.name=execute_tool run_code "));
    assert_eq!(
        lines[1..],
        [
            format!("  {}", span_of("inner", "call_1:code:1")),
            format!("  {}", span_of("inner", "call_1:code:2")),
        ],
    );
    assert_eq!(capture.open(), 0);
}

#[test]
fn a_dropped_call_is_told_as_aborted() {
    let runtime = greeter()
        .tool(support::tool("hangs", |_, _| async {
            std::future::pending::<()>().await;
            json!("never")
        }))
        .on_result(count {})
        .build()
        .unwrap();
    let observed = format!("  {}", hook("on_result", "count", "observed"));
    let expected = [
        span_of("hangs", "call_1") + " error.type=ABORTED otel.status_code=ERROR",
        observed,
    ];
    let capture = Capture::default();
    capture.run(Level::DEBUG, async {
        let running = runtime.execute(call("call_1", "hangs"));
        assert!(timeout(Duration::from_secs(1), running).await.is_err());
    });
    assert_tree(&capture, &expected);
    let capture = Capture::default();
    capture.run(Level::DEBUG, async {
        let running = runtime.execute_batch([call("call_1", "hangs")]);
        assert!(timeout(Duration::from_secs(1), running).await.is_err());
    });
    assert_tree(&capture, &expected);
}

/// What policy takes out of a result is nowhere to be found.
#[test]
fn a_secret_that_a_post_hook_replaces_is_nowhere() {
    const SECRET: &str = "hunter2";
    let replacing: [fn() -> PostDecision<Value>; 3] = [
        || PostDecision::value(json!("[redacted]")),
        || PostDecision::content(vec!["[redacted]".into()]),
        || PostDecision::block(vec!["[redacted]".into()]),
    ];
    for replace in replacing {
        let record = Record::default();
        let seen = record.clone();
        let runtime = ToolRuntime::builder()
            .tool(support::tool("read", |_, _| async { json!(SECRET) }))
            .around_execute(timed {})
            .post_execute(move |_: &ToolExecution, _: &ToolResult| replace())
            .on_result(move |_: &ToolExecution, result: &ToolResult| {
                seen.add(format!("{:?} {:?}", result.content(), result.trail()));
            })
            .trace_content(true)
            .trail(true)
            .build()
            .unwrap();
        let capture = Capture::default();
        let result = capture.run(Level::TRACE, runtime.execute(call("call_1", "read")));
        let told = [
            capture.tree(),
            record.lines().join("\n"),
            result.text(),
            result.trail().unwrap().to_string(),
        ];
        for text in told {
            assert!(!text.is_empty());
            assert!(!text.contains(SECRET), "{text}");
        }
        assert_eq!(result.text(), "[redacted]");
    }
}

#[test]
fn without_a_subscriber_hooks_allocate_nothing() {
    let allocations = |guards: usize| {
        let mut builder = ToolRuntime::builder().tool(hello {});
        for _ in 0..guards {
            builder = builder.guard(|_: &ToolExecution| None::<String>);
        }
        let runtime = builder.build().unwrap();
        let mut counts = [0; 2];
        for count in &mut counts {
            let call = greet("call_1", "Ada");
            let info = allocation_counter::measure(|| {
                assert!(!support::run(runtime.execute(call)).is_error());
            });
            *count = info.count_total;
        }
        counts[1]
    };
    assert_eq!(allocations(10), allocations(0));
}
