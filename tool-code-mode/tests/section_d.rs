//! The cases of Code Mode from public reports, by number.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{Kit, KitHost, engine, limited, run, run_on, value};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tool_code_mode::{FailureKind, Limits};

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

async fn ends_in_time(program: &str) {
    let engine = limited(Limits::new().cpu(Duration::from_millis(150)));
    let beats = Arc::new(AtomicUsize::new(0));
    let heart = tokio::spawn({
        let beats = Arc::clone(&beats);
        async move {
            loop {
                tokio::time::sleep(Duration::from_millis(5)).await;
                beats.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    let start = Instant::now();
    let failure = run_on(&engine, Kit::usual(), program)
        .await
        .expect_err(program);
    heart.abort();
    assert_eq!(failure.kind(), FailureKind::Timeout, "{program}: {failure}");
    assert_eq!(
        failure.message(),
        "the program computed for more than 150ms",
        "{program}"
    );
    assert!(start.elapsed() < Duration::from_secs(20), "{program}");
    assert!(
        beats.load(Ordering::SeqCst) >= 3,
        "the host stood still: {program}"
    );
    let after = run_on(&engine, Kit::usual(), "return typeof leftover")
        .await
        .expect("runs again");
    assert_eq!(after.result(), Some(&json!("undefined")));
}

/// C111: endless synchronous programs.
#[tokio::test]
async fn c111_endless_loops_end() {
    for program in [
        "globalThis.leftover = 1; while (true) {}",
        "for (;;) Math.sqrt(2)",
        "/^(a+)+$/.test('a'.repeat(40) + 'b')",
        "/(x+x+)+y/.test('x'.repeat(60))",
        "[3, 1, 2].sort(() => { while (true) {} })",
        "JSON.stringify({ toJSON() { for (;;) {} } })",
    ] {
        ends_in_time(program).await;
    }
}

#[tokio::test]
async fn c111_endless_calls_end() {
    let failure = run("for (;;) tools.echo({})")
        .await
        .expect_err("too many calls");
    assert_eq!(failure.kind(), FailureKind::CallLimit);
    assert_eq!(failure.message(), "the program made more than 500 calls");
    assert_eq!(failure.line(), Some(1));
}

/// C112: no `catch`, `finally` or job outlives the end.
#[tokio::test]
async fn c112_the_end_cannot_be_caught() {
    for program in [
        "await 0; while (true) {}",
        "await Promise.resolve().then(() => { while (1) {} })",
        "while (true) { try { while (true) {} } catch {} }",
        "try { while (1) {} } finally { while (1) {} }",
        "try { while (1) {} } finally { return 'won' }",
        "(function flood() { Promise.resolve().then(flood) })(); await new Promise(() => {})",
        "const flood = () => queueMicrotask(flood); flood(); await tools.forever()",
        "tools.forever(); for (;;) {}",
        "await (async () => { for (;;) {} })().catch(() => 'won')",
        "for await (const x of (async function* () { for (;;) yield 1 })()) {}",
        "setTimeout(() => { for (;;) {} }, 0); await tools.forever()",
        "return { get x() { for (;;) {} } }",
    ] {
        ends_in_time(program).await;
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

/// C115: there is nothing to escape to.
#[tokio::test]
async fn c115_no_way_out() {
    for (program, want) in [
        (
            "return typeof this.constructor.constructor('return process')",
            json!("function"),
        ),
        ("return Function('return typeof process')()", json!("threw")),
        ("return Function('return process')()", json!("threw")),
        (
            "return (await tools.echo({value: {}})).constructor.constructor('return process')()",
            json!("threw"),
        ),
        (
            "try { await tools.fail() } catch (e) { return e.constructor.constructor('return process')() }",
            json!("threw"),
        ),
        (
            "return tools.echo.constructor('return process')()",
            json!("threw"),
        ),
        (
            "try { (function f() { f() })() } catch (e) { return e.constructor.constructor('return process')() }",
            json!("threw"),
        ),
        ("return eval('require')", json!("threw")),
        ("return require('fs')", json!("threw")),
        ("return await fetch('http://localhost')", json!("threw")),
        ("return Deno.env", json!("threw")),
        ("return process.env", json!("threw")),
        ("return globalThis.__host", json!("undefined")),
        (
            "return globalThis.std ?? globalThis.os?.open ?? 'none'",
            json!("threw"),
        ),
        ("return typeof globalThis.std", json!("undefined")),
        (
            "return Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 60000)",
            json!("threw"),
        ),
        (
            "return Object.getOwnPropertyNames(tools).sort().join()",
            json!("$describe,add,args,echo,fail,forever,slow"),
        ),
        ("tools.echo = 1; return 'changed'", json!("threw")),
        (
            "ToolCallError.prototype.x = 1; return 'changed'",
            json!("threw"),
        ),
        ("globalThis.tools = {}; return 'changed'", json!("threw")),
        ("return await eval('import(\"fs\")')", json!("threw")),
    ] {
        let done = match run(program).await {
            Ok(done) => done.result().cloned().unwrap_or(json!("undefined")),
            Err(failure) => {
                assert_eq!(
                    failure.kind(),
                    FailureKind::Exception,
                    "{program}: {failure}"
                );
                json!("threw")
            }
        };
        assert_eq!(done, want, "{program}");
    }
}

#[tokio::test]
async fn c115_looking_elsewhere_teaches() {
    for (program, want) in [
        (
            "fetch('x')",
            "`fetch` does not exist in a program: there is no network; call a tool that fetches, as `await tools.<name>({...})`",
        ),
        (
            "require('fs')",
            "`require` does not exist in a program: there are no modules; everything a program can reach is a member of `tools`",
        ),
        (
            "fs.readFileSync('x')",
            "`fs` does not exist in a program: there are no files; call a tool that reads or writes, as `await tools.<name>({...})`",
        ),
        (
            "process.env.HOME",
            "`process` does not exist in a program: there is no host to reach; everything a program can reach is a member of `tools`",
        ),
        (
            "Deno.cwd()",
            "`Deno` does not exist in a program: there is no host to reach; everything a program can reach is a member of `tools`",
        ),
        (
            "net.connect(1)",
            "`net` does not exist in a program: there is no network; call a tool that fetches, as `await tools.<name>({...})`",
        ),
    ] {
        let program = format!("try {{ {program} }} catch (e) {{ return [e.name, e.message] }}");
        assert_eq!(
            value(&program).await,
            json!(["ReferenceError", want]),
            "{program}"
        );
    }
    assert_eq!(
        value("return [typeof process, typeof require, typeof fetch, typeof Deno]").await,
        json!(["undefined", "undefined", "undefined", "undefined"])
    );
    assert_eq!(
        value("const process = {env: 1}; return [typeof process, process.env]").await,
        json!(["object", 1])
    );
}

/// C117: what a model may wish for, and what it may use.
#[tokio::test]
async fn c117_memory_output_and_calls_are_bounded() {
    let heap = limited(Limits::new().heap(16 << 20));
    for program in [
        "const a = []; for (;;) a.push('x'.repeat(1e6))",
        "return 'x'.repeat(2 ** 29)",
        "let a: any = null; for (;;) a = {a}",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])",
        "new Array(1e9).fill(0)",
        "new Uint8Array(2 ** 30)",
    ] {
        let failure = run_on(&heap, Kit::usual(), program)
            .await
            .expect_err(program);
        assert_eq!(
            failure.kind(),
            FailureKind::OutOfMemory,
            "{program}: {failure}"
        );
        assert_eq!(
            failure.message(),
            "the program held more than 16 MiB",
            "{program}"
        );
    }

    let failure = run("let b = 1n; for (;;) b = b << 1000000n")
        .await
        .expect_err("an integer without end");
    assert_eq!(
        failure.message(),
        "RangeError: BigInt is too large to allocate"
    );

    let failure = run("let s = 'x'; for (;;) s += s + 'y'")
        .await
        .expect_err("a string without end");
    assert_eq!(
        (failure.kind(), failure.message()),
        (
            FailureKind::OutOfMemory,
            "the program made a string of more than 2**30 - 1 characters"
        )
    );

    let failure = run("for (let i = 0; i < 100; i++) console.log('x'.repeat(1e6))")
        .await
        .expect_err("log");
    assert_eq!(failure.kind(), FailureKind::OutputLimit);
    assert_eq!(failure.message(), "the program printed more than 1 MiB");
    assert_eq!(failure.line(), Some(1));
    let logs: usize = failure.logs().iter().map(String::len).sum();
    assert!(logs <= (1 << 20) + 40, "{logs}");
    assert!(
        failure
            .logs()
            .last()
            .is_some_and(|last| last.ends_with("... (951426 bytes omitted)"))
    );

    let failure = run("for (let i = 0; i < 1e6; i++) tools.echo({})")
        .await
        .expect_err("calls");
    assert_eq!(failure.kind(), FailureKind::CallLimit);
}

#[tokio::test]
async fn c117_a_result_has_a_size() {
    let failure = run("console.log('a'); return 'x'.repeat(2 ** 20)")
        .await
        .expect_err("size");
    assert_eq!(failure.kind(), FailureKind::OutputLimit);
    assert_eq!(
        failure.message(),
        "the program printed and returned more than 1 MiB"
    );
    assert_eq!(failure.logs(), ["a"]);
}
