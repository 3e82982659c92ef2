//! Real programs in the whole pipeline.

use std::time::Duration;

use serde_json::{Value, json};
use tool_code_mode::{Limits, QuickJs};
use tool_core::{
    Approval, ApprovalRequest, Approver, Decision, PostDecision, Presentation, Restriction,
    ToolCall, ToolDefinition, ToolExecution, ToolResult, ToolRuntime, ToolRuntimeBuilder,
};

use super::support::{Gauge, Record, observer, tool};

fn builder() -> ToolRuntimeBuilder {
    ToolRuntime::builder()
        .presentation(Presentation::Code)
        .code_runtime(QuickJs::new())
}

/// Adds two integers, and takes nothing else.
fn add() -> ToolDefinition {
    let parameters = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
        "additionalProperties": false,
    });
    ToolDefinition::dynamic("add", "Adds.", parameters, json!({"type": "integer"})).handler(
        |arguments: Value, _cx| async move {
            let of = |name: &str| arguments[name].as_i64().unwrap_or_default();
            json!(of("a") + of("b"))
        },
    )
}

fn program(call_id: &str, code: &str) -> ToolCall {
    let arguments = json!({"code": code, "description": "Run the program of the test"});
    ToolCall::new(call_id, "run_code", arguments)
}

fn run(runtime: &ToolRuntime, call: ToolCall) -> ToolResult {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(runtime.execute(call))
}

fn text(runtime: &ToolRuntime, code: &str) -> String {
    run(runtime, program("c", code)).text()
}

#[test]
fn a_loop_over_fifty_calls() {
    let record = Record::default();
    let runtime = builder()
        .tool(add())
        .on_result(observer(&record))
        .build()
        .unwrap();
    let code = "let sum = 0;\n\
                for (let n: number = 1; n <= 50; n++) sum = await tools.add({ a: sum, b: n });\n\
                return sum";
    assert_eq!(text(&runtime, code), "1275");
    let mut expected: Vec<_> = (1..=50).map(|n| format!("c:code:{n} ok")).collect();
    expected.push("c ok".to_owned());
    assert_eq!(record.take(), expected);
}

#[test]
fn arguments_that_do_not_fit_are_answered_with_the_signature() {
    let runtime = builder().tool(add()).build().unwrap();
    let code = "try { await tools.add({ a: 'one', c: 1 }) } catch (e) { return e.message }";
    assert_eq!(
        text(&runtime, code),
        "invalid arguments: /b: missing (expected an integer)\n\
         /a: expected an integer, got \"one\"\n\
         /c: unknown property; expected one of \"a\", \"b\"\n\
         tool \"add\" takes {\"a\": integer, \"b\": integer}\n\
         tools.add(args: { a: number; b: number }): Promise<number>"
    );
}

#[test]
fn at_most_so_many_calls_overlap() {
    for (limit, most) in [(1, 1), (3, 3), (10, 8)] {
        let gauge = Gauge::default();
        let counts = gauge.clone();
        let slow = tool("slow", move |_, _| {
            let gauge = counts.clone();
            async move {
                let _inside = gauge.enter();
                // Until as many as may have been here at once.
                while gauge.most() < most {
                    tokio::task::yield_now().await;
                }
                json!(null)
            }
        });
        let runtime = builder()
            .tool(slow.concurrency_safe(true))
            .max_parallel_sub_calls(limit)
            .build()
            .unwrap();
        let code = "await Promise.all(Array.from({ length: 8 }, () => tools.slow({})))";
        assert!(!run(&runtime, program("c", code)).is_error());
        assert_eq!((limit, gauge.most()), (limit, most));
    }
}

#[test]
fn policy_applies_to_each_call_of_a_program() {
    let record = Record::default();
    let runtime = builder()
        .tools([
            add(),
            tool("hangs", |_, _| std::future::pending::<Value>()).timeout(Duration::from_millis(1)),
            tool("secret", |_, _| async { json!("hunter2") }),
            tool("forbidden", |_, _| async { json!("never") }),
            tool("hidden", |_, _| async { json!("never") }),
        ])
        .guard(|call: &ToolExecution| {
            (call.name() == "forbidden").then(|| "not that one".to_owned())
        })
        .post_execute(|call: &ToolExecution, _: &ToolResult| match call.name() {
            "secret" => PostDecision::block("the secret stays"),
            _ => PostDecision::accept(),
        })
        .on_result(observer(&record))
        .build()
        .unwrap();
    let scope = runtime.scope("a").unwrap();
    scope.restrict(Restriction::deny(["hidden"])).unwrap();
    let code = "const said = [];\n\
                for (const name of ['forbidden', 'secret', 'hangs']) {\n\
                  try { await tools[name]({}) } catch (e) { said.push(e.message) }\n\
                }\n\
                return [...said, typeof tools.hidden]";
    let result = run(&runtime, program("c", code).scope(&scope));
    assert_eq!(
        result.value().unwrap()["result"],
        json!([
            "not that one",
            "the secret stays",
            "tool \"hangs\" timed out after 1ms; it may have taken effect",
            "undefined"
        ])
    );
    assert_eq!(
        record.take(),
        [
            "c:code:1 DENIED",
            "c:code:2 BLOCKED",
            "c:code:3 TOOL_TIMEOUT",
            "c ok"
        ]
    );
}

/// Grants after longer than the program's own clock allows.
struct Slow(Duration);

impl Approver for Slow {
    async fn request(&self, _: ApprovalRequest) -> Approval {
        // Real time has to pass: it is the program's clock that must not notice.
        tokio::time::sleep(self.0).await;
        Approval::AllowedOnce
    }
}

#[test]
fn the_wall_clock_stands_still_while_somebody_is_asked() {
    let limits = Limits::new().wall(Duration::from_secs(1));
    let runtime = ToolRuntime::builder()
        .presentation(Presentation::Code)
        .code_runtime(QuickJs::new().limits(limits))
        .tool(add())
        .pre_execute(|call: &ToolExecution| match call.name() {
            "add" => Decision::ask("may it add?"),
            _ => Decision::Allow,
        })
        .approver(Slow(Duration::from_millis(1_200)))
        .build()
        .unwrap();
    assert_eq!(
        text(&runtime, "return await tools.add({ a: 1, b: 2 })"),
        "3"
    );
}

#[test]
fn a_failed_program_says_where_and_what_it_had_printed() {
    let runtime = builder().tool(add()).build().unwrap();
    let result = run(
        &runtime,
        program("c", "console.log('adding');\nawait tools.add({ a: 1 });"),
    );
    assert_eq!(result.error().unwrap().code(), "CODE_RUN_FAILED");
    assert_eq!(
        result.text(),
        "Error: code run failed (exception): ToolCallError: invalid arguments: /b: missing (expected \
         an integer)\n\
         tool \"add\" takes {\"a\": integer, \"b\": integer}\n\
         tools.add(args: { a: number; b: number }): Promise<number>\n    \
         at program.ts:2:13\n  \
         2 | await tools.add({ a: 1 });\n\
         help: correct the call, or catch the error with `try` and go on without it\n\
         printed before:\n\
         adding"
    );
}

#[test]
fn a_program_sees_the_tools_of_its_beginning() {
    let record = Record::default();
    let runtime = builder().tool(add()).build().unwrap();
    let registers = runtime.clone();
    let added = tool("late", |_, _| async { json!("late") });
    let adding = tool("adder", move |_, _| {
        let _ = registers.register(added.clone());
        async { json!(null) }
    });
    let removes = runtime
        .register(tool("gone", |_, _| async { json!("gone") }))
        .unwrap();
    let removing = tool("remover", move |_, _| {
        removes.dispose();
        async { json!(null) }
    });
    runtime.register_all([adding, removing]).unwrap();
    let code = "await tools.adder({}); await tools.remover({});\n\
                const gone = await tools.gone({}).catch(e => e.message);\n\
                return [typeof tools.late, gone]";
    let result = run(&runtime, program("c", code));
    assert_eq!(
        result.value().unwrap()["result"],
        json!([
            "undefined",
            "unknown tool \"gone\"; available: add, adder, remover, late"
        ])
    );
    assert_eq!(text(&runtime, "return await tools.late({})"), "late");
    drop(record);
}

#[test]
fn a_large_catalogue_is_offered_by_name() {
    let tools = |count: usize| {
        (0..count).map(|n| {
            let name = format!("tool_{n:04}");
            let parameters = json!({"type": "object", "properties": {"x": {"type": "string"}}});
            ToolDefinition::dynamic(name, "Does something.", parameters, json!({}))
                .handler(|_: Value, _cx| async { json!(null) })
        })
    };
    let prompt = |count: usize| {
        let runtime = builder().tools(tools(count)).build().unwrap();
        runtime.offer().unwrap().system_prompt().unwrap().to_owned()
    };
    let (few, many) = (prompt(3), prompt(2_000));
    assert!(few.contains("interface ToolArgsMap"));
    assert!(!many.contains("interface ToolArgsMap"));
    assert!(many.contains("$describe") && many.contains("tool_1999"));
}
