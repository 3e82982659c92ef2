//! C105, C110, C114: names of tools, what calls meet, calls that nobody waits for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tokio_util::sync::CancellationToken;
use tool_code_mode::FailureKind;

use crate::common::{Kit, KitHost, engine, run, run_on, value};

/// C105: names that would collide after sanitising are five members, each its own tool.
#[tokio::test]
async fn c105_names_are_kept() {
    let names = ["get-user", "get.user", "get_user", "getUser", "get user"];
    let kit = names.into_iter().fold(Kit::default(), |kit, name| {
        kit.tool(name, move |call| async move {
            Ok(json!([call.tool, call.arguments]))
        })
    });
    let program = "const out = {};
        for (const name of Object.keys(tools)) out[name] = await tools[name]({'a-b': 1, 'a.b': 2, a_b: 3});
        return out";
    let done = run_on(&engine(), kit, program).await.expect("ran");
    let want: serde_json::Map<_, _> = names
        .into_iter()
        .map(|name| {
            (
                name.to_owned(),
                json!([name, {"a-b": 1, "a.b": 2, "a_b": 3}]),
            )
        })
        .collect();
    assert_eq!(done.result(), Some(&want.into()));
}

#[tokio::test]
async fn c105_names_of_the_language_are_tools_like_others() {
    let names = [
        "__proto__",
        "constructor",
        "toString",
        "await",
        "then",
        "0",
        "",
    ];
    let kit = names.into_iter().fold(Kit::default(), |kit, name| {
        kit.tool(name, |call| async move { Ok(call.tool.into()) })
    });
    let program = "const out = []; for (const name of Object.keys(tools)) out.push(await tools[name]()); return out.sort()";
    let done = run_on(&engine(), kit, program).await.expect("ran");
    assert_eq!(
        done.result(),
        Some(&json!([
            "",
            "0",
            "__proto__",
            "await",
            "constructor",
            "then",
            "toString"
        ]))
    );
}

/// C110: a refusal is catchable in the program, whatever it passes goes to the host as it is.
#[tokio::test]
async fn c110_calls_meet_the_host() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let kit = Kit::usual().tool("rm", move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        async { Err("not allowed here".to_owned()) }
    });
    let program = "try { await tools.rm({p: '/'}) } catch (e) { return String(e) }";
    let done = run_on(&engine(), kit, program).await.expect("ran");
    assert_eq!(
        done.result(),
        Some(&json!("ToolCallError: not allowed here"))
    );
    assert_eq!(asked.load(Ordering::SeqCst), 1);

    assert_eq!(
        value("return [await tools.args(), await tools.args([1])]").await,
        json!([{}, [1]])
    );
    for call in ["tools.args(undefined)", "tools.args({}, {})"] {
        let program = format!("try {{ await {call} }} catch (e) {{ return e.name }}");
        assert_eq!(value(&program).await, "ToolCallError", "{call}");
    }
}

/// C114: calls that nobody waits for, and odd ends.
#[tokio::test]
async fn c114_unawaited_calls_and_odd_ends() {
    assert_eq!(
        run("tools.fail({}); return 1").await.expect("ran").text(),
        "1"
    );
    assert_eq!(
        run("tools.fail({}); await tools.slow({ms: 30}); return 1")
            .await
            .expect("ran")
            .text(),
        "unhandled rejection: ToolCallError: disk on fire\n    at program.ts:1:6\n1"
    );
    assert_eq!(
        run("const p = tools.fail({}); await tools.slow({ms: 20}); try { await p } catch {} return 1")
            .await
            .expect("ran")
            .text(),
        "1",
        "handled later is handled"
    );
    let kit = Arc::new(Kit::usual());
    let host = Arc::new(KitHost(Arc::clone(&kit)));
    let code = "tools.slow({ms: 60000}); return 1".to_owned();
    let done = engine()
        .run(code, host, CancellationToken::new())
        .await
        .expect("ran");
    assert_eq!(done.text(), "1");
    assert_eq!(
        *kit.ended.lock().expect("ended"),
        [1],
        "the call has ended before the result"
    );

    for (program, kind, message) in [
        (
            "await Promise.all([tools.echo({}), tools.fail({})])",
            FailureKind::Exception,
            "ToolCallError: disk on fire",
        ),
        ("throw null", FailureKind::Exception, "null"),
        ("throw undefined", FailureKind::Exception, "undefined"),
        (
            "return () => 1",
            FailureKind::InvalidOutput,
            "returned value: a function is not JSON",
        ),
        (
            "const a: any = {}; a.a = a; return a",
            FailureKind::InvalidOutput,
            "returned value: an object that holds itself is not JSON at .a",
        ),
    ] {
        let failure = run(program).await.expect_err(program);
        assert_eq!(
            (failure.kind(), failure.message()),
            (kind, message),
            "{program}"
        );
        assert_eq!(failure.line(), Some(1), "{program}");
    }
}
