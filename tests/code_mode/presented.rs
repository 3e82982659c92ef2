//! What a model is offered, and what it may call directly.

use serde_json::json;
use tokio_util::sync::CancellationToken;
use tool_core::{
    Callers, Presentation, RegisterError, Restriction, ToolCall, ToolDefinition, ToolExecution,
    ToolResult, ToolRuntime, ToolRuntimeBuilder, ToolSchema,
};

use super::support::{Record, call, data, done, failure, observer, on_paused_clock, success, tool};
use super::{ask, returned, run_code, scripted};

fn names(schemas: &[std::sync::Arc<ToolSchema>]) -> Vec<&str> {
    schemas.iter().map(|schema| schema.name.as_str()).collect()
}

fn only(direct: bool, code: bool) -> Callers {
    let mut callers = Callers::default();
    (callers.direct, callers.code) = (direct, code);
    callers
}

/// Tools for everybody, for programs alone and for the model alone.
fn three(record: &Record) -> [ToolDefinition; 3] {
    [
        done("open", record),
        done("for_programs", record).callers(only(false, true)),
        done("for_models", record).callers(only(true, false)),
    ]
}

fn builder(record: &Record) -> ToolRuntimeBuilder {
    ToolRuntime::builder()
        .tools(three(record))
        .code_runtime(scripted(|program| async move {
            returned(ask(&program, "open").await?)
        }))
        .on_result(observer(record))
}

#[test]
fn each_presentation_offers_what_it_says() {
    let record = Record::default();
    let offer = |presentation| {
        let runtime = builder(&record).presentation(presentation).build().unwrap();
        let offer = runtime.offer().unwrap();
        assert_eq!(offer.presentation(), presentation);
        assert_eq!(names(&offer.schemas()), names(&runtime.schemas()));
        let programs = offer.program_tools().map(|tools| {
            let names = tools.iter().map(tool_core::ProgramTool::name);
            names.map(str::to_owned).collect::<Vec<_>>()
        });
        (
            names(&offer.schemas()).join(" "),
            names(&runtime.catalog()).join(" "),
            programs.map(|names| names.join(" ")),
            offer.only_run_code(),
            offer.system_prompt().map(str::to_owned),
        )
    };
    let interface = "tools: for_programs, open";
    assert_eq!(
        offer(Presentation::Native),
        (
            "open for_models".to_owned(),
            "open for_programs for_models".to_owned(),
            None,
            false,
            None
        )
    );
    assert_eq!(
        offer(Presentation::Code),
        (
            "run_code".to_owned(),
            "open for_programs for_models run_code".to_owned(),
            Some("open for_programs".to_owned()),
            true,
            Some(format!(
                "Only `run_code` can be called directly. Call every other tool from inside a \
                 `run_code` program.\n\n{interface}"
            ))
        )
    );
    assert_eq!(
        offer(Presentation::Both),
        (
            "open for_models run_code".to_owned(),
            "open for_programs for_models run_code".to_owned(),
            Some("open for_programs".to_owned()),
            false,
            Some(interface.to_owned())
        )
    );
}

#[test]
fn direct_calls_reach_what_is_presented_by_name() {
    use Presentation::{Both, Code, Native};
    let outcome = |presentation, name: &str| {
        let record = Record::default();
        let runtime = builder(&record).presentation(presentation).build().unwrap();
        let result = on_paused_clock(runtime.execute(match name {
            "run_code" => run_code("c"),
            name => call("c", name),
        }));
        result.text()
    };
    let unknown = |rest: &str| format!("Error: unknown tool {rest}");
    assert_eq!(outcome(Native, "open"), "done");
    assert_eq!(outcome(Native, "for_models"), "done");
    assert_eq!(
        outcome(Native, "for_programs"),
        unknown("\"for_programs\"; available: open, for_models")
    );
    assert_eq!(
        outcome(Native, "run_code"),
        unknown("\"run_code\"; available: open, for_models")
    );
    assert_eq!(
        outcome(Code, "open"),
        unknown(
            "\"open\": only `run_code` is callable directly; call `open` from inside a `run_code` \
             program instead"
        )
    );
    assert_eq!(
        outcome(Code, "for_models"),
        unknown("\"for_models\"; available: run_code")
    );
    assert_eq!(outcome(Code, "run_code"), "done");
    assert_eq!(outcome(Both, "open"), "done");
    assert_eq!(
        outcome(Both, "for_programs"),
        unknown(
            "\"for_programs\": it is not callable directly; call `for_programs` from inside a \
             `run_code` program instead"
        )
    );
    assert_eq!(outcome(Both, "run_code"), "done");
    assert_eq!(
        outcome(Both, "run_cod"),
        unknown("\"run_cod\"; did you mean \"run_code\"?; available: open, for_models, run_code")
    );
}

/// Every hook writes its station down.
fn with_all_hooks(builder: ToolRuntimeBuilder, record: &Record) -> ToolRuntimeBuilder {
    let [pre, guard, post] = ["pre", "guard", "post"].map(|station| {
        let record = record.clone();
        move || record.add(station)
    });
    builder
        .pre_execute(move |_: &ToolExecution| {
            pre();
            tool_core::Decision::Allow
        })
        .guard(move |_: &ToolExecution| {
            guard();
            None::<String>
        })
        .post_execute(move |_: &ToolExecution, _: &ToolResult| {
            post();
            tool_core::PostDecision::accept()
        })
}

#[test]
fn a_direct_call_of_a_tool_for_programs_meets_no_policy() {
    let record = Record::default();
    let finalized = record.clone();
    let shown = done("shown", &record).finalize_content(move |_, _| {
        finalized.add("finalizer");
        None
    });
    let builder = builder(&record)
        .tool(shown)
        .presentation(Presentation::Code);
    let runtime = with_all_hooks(builder, &record).build().unwrap();

    let result = on_paused_clock(runtime.execute(call("c1", "shown")));
    let message = "unknown tool \"shown\": only `run_code` is callable directly; call `shown` from \
                   inside a `run_code` program instead";
    assert_eq!(data(&result), failure("c1", "UNKNOWN_TOOL", message));
    assert_eq!(record.take(), ["c1 UNKNOWN_TOOL"]);

    // Over before it began: then the tool has the last word, as with any other call.
    let token = CancellationToken::new();
    token.cancel();
    let result = on_paused_clock(runtime.execute(call("c2", "shown").cancel(token)));
    let message = "tool call aborted before dispatch";
    assert_eq!(
        data(&result),
        failure("c2", "ABORTED_BEFORE_DISPATCH", message)
    );
    assert_eq!(record.take(), ["finalizer", "c2 ABORTED_BEFORE_DISPATCH"]);

    // A name that nobody has is refused as ever.
    let result = on_paused_clock(runtime.execute(call("c3", "ghost")));
    assert_eq!(
        result.text(),
        "Error: unknown tool \"ghost\"; available: run_code"
    );
    assert_eq!(record.take(), ["post", "c3 UNKNOWN_TOOL"]);
}

#[test]
fn a_call_that_serves_another_may_name_any_visible_tool() {
    let record = Record::default();
    let outer = tool("outer", |_, cx| async move {
        json!(cx.call_by_name("for_programs", "{}").await.text())
    });
    let outer = outer.callers(only(true, true));
    let runtime = builder(&record).tool(outer).build().unwrap();
    let result = on_paused_clock(runtime.execute(call("c", "outer")));
    assert_eq!(result.text(), "done");
}

#[test]
fn the_name_is_taken_in_every_presentation() {
    let record = Record::default();
    for presentation in [Presentation::Native, Presentation::Code, Presentation::Both] {
        let runtime = builder(&record).presentation(presentation).build().unwrap();
        let scope = runtime.scope("a").unwrap();
        for refused in [
            runtime.register(done("run_code", &record)),
            scope.register(done("run_code", &record)),
        ] {
            assert!(
                matches!(&refused, Err(RegisterError::ReservedToolName { tool, .. }) if tool == "run_code"),
                "{refused:?}"
            );
        }
        for restriction in [
            Restriction::deny(["run_code"]),
            Restriction::allow(["run_code"]),
        ] {
            let refused = scope.restrict(restriction);
            assert!(
                matches!(&refused, Err(RegisterError::ReservedRestrictionTarget { tool, .. }) if tool == "run_code"),
                "{refused:?}"
            );
        }
    }
}

#[test]
fn a_restriction_hides_tools_from_programs_and_never_the_way_to_them() {
    let record = Record::default();
    let runtime = builder(&record)
        .presentation(Presentation::Code)
        .build()
        .unwrap();
    let scope = runtime.scope("a").unwrap();
    scope.restrict(Restriction::deny(["open"])).unwrap();
    let offer = scope.offer().unwrap();
    assert_eq!(names(&offer.schemas()), ["run_code"]);
    assert!(
        offer
            .system_prompt()
            .unwrap()
            .ends_with("tools: for_programs")
    );
    let result = on_paused_clock(runtime.execute(run_code("c").scope(&scope)));
    assert_eq!(
        data(&result),
        failure("c", "UNKNOWN_TOOL", "unknown tool \"open\"")
    );
}

#[test]
fn a_scope_may_present_its_tools_otherwise() {
    let record = Record::default();
    let runtime = builder(&record).build().unwrap();
    let scope = runtime.scope("a").unwrap();
    let child = scope.child("a1").unwrap();
    let presented = scope.present_as(Presentation::Code).unwrap();
    assert_eq!(
        scope
            .present_as(Presentation::Native)
            .unwrap_err()
            .to_string(),
        "scope `a` already has a presentation\nhelp: dispose the first one before declaring another"
    );
    assert_eq!(names(&child.schemas()), ["run_code"]);
    let back = child.present_as(Presentation::Native).unwrap();
    assert_eq!(names(&child.schemas()), ["open", "for_models"]);
    back.dispose();
    assert_eq!(names(&child.schemas()), ["run_code"]);
    presented.dispose();
    assert_eq!(names(&child.schemas()), ["open", "for_models"]);
    assert_eq!(names(&runtime.schemas()), ["open", "for_models"]);
}

#[test]
fn without_a_code_runtime_the_offer_fails_and_so_does_the_call() {
    let record = Record::default();
    for presentation in [Presentation::Code, Presentation::Both] {
        let runtime = ToolRuntime::builder()
            .tool(done("open", &record))
            .presentation(presentation)
            .build()
            .unwrap();
        assert_eq!(
            runtime.offer().unwrap_err().to_string(),
            format!(
                "presentation `{presentation:?}` needs a code runtime, and there is none\n\
                 help: give the builder one with `.code_runtime(..)`, or use `Presentation::Native`"
            )
        );
        let result = on_paused_clock(runtime.execute(run_code("c")));
        let message = "`run_code` cannot run anything: this runtime has no code runtime";
        assert_eq!(data(&result), failure("c", "MISSING_CODE_RUNTIME", message));
    }
}

#[test]
fn arguments_of_a_run_are_checked() {
    let record = Record::default();
    let runtime = builder(&record)
        .presentation(Presentation::Code)
        .build()
        .unwrap();
    let result = |arguments| {
        on_paused_clock(runtime.execute(ToolCall::new("c", "run_code", arguments))).text()
    };
    assert_eq!(
        result(json!({"code": "", "description": " \n"})),
        "Error: `description` is blank: say in five to ten words what the program does"
    );
    let missing = result(json!({"description": "Nothing"}));
    assert!(
        missing.starts_with("Error: invalid arguments: ") && missing.contains("code"),
        "{missing}"
    );
}

#[test]
fn no_limit_of_zero() {
    let refused = ToolRuntime::builder().max_parallel_sub_calls(0).build();
    assert_eq!(
        refused.unwrap_err().to_string(),
        "`max_parallel_sub_calls` must be at least 1"
    );
}

#[test]
fn what_a_run_returns_is_its_value() {
    let record = Record::default();
    let runtime = builder(&record)
        .presentation(Presentation::Both)
        .build()
        .unwrap();
    let result = on_paused_clock(runtime.execute(run_code("c")));
    let mut expected = success("c", "done");
    expected["value"] = json!({"logs": [], "result": "done"});
    assert_eq!(data(&result), expected);
}
