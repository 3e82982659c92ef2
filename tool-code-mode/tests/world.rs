//! What a program finds in its world, and what it makes of what it finds.

mod common;

use std::sync::Arc;

use common::{Kit, KitHost, engine, run, text, value};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tool_code_mode::FailureKind;

#[tokio::test]
async fn a_program_is_the_body_of_an_async_function() {
    for (program, want) in [
        ("return 1", json!(1)),
        ("```ts\nreturn 1\n```", json!(1)),
        ("\u{feff}return 1 // the end", json!(1)),
        ("const x: number = await 3; return x", json!(3)),
        (
            "function f<T>(x: T): T { return x } return f<string>('a')",
            json!("a"),
        ),
        (
            "type A = { a: number }; const a: A = { a: 1 } satisfies A; return a!.a",
            json!(1),
        ),
        ("if (true) return 'early'; return 'late'", json!("early")),
        (
            "return [1, 2, 3].map((x): number => x * 2).toSorted((a, b) => b - a)",
            json!([6, 4, 2]),
        ),
    ] {
        assert_eq!(value(program).await, want, "{program}");
    }
    assert_eq!(
        text("1 + 1").await,
        "(the program printed and returned nothing)"
    );
    assert_eq!(text("").await, "(the program printed and returned nothing)");
}

#[tokio::test]
async fn names_are_those_of_the_language_and_a_few_more() {
    let program = "
        const own = Object.getOwnPropertyNames(globalThis);
        const intrinsic = /^(Infinity|NaN|undefined|eval|globalThis|is(NaN|Finite)|parse(Int|Float)|(de|en)codeURI(Component)?|(un)?escape|[A-Z]\\w+(Array|Error|Set|Map|Ref|Registry|Buffer)|Object|Array|Function|Error|Number|String|Boolean|Symbol|BigInt|Date|RegExp|Map|Set|Promise|Proxy|Reflect|JSON|Math|Atomics|DataView|Iterator|AsyncIterator|WeakRef|DisposableStack|AsyncDisposableStack)$/;
        return own.filter(name => !intrinsic.test(name) && typeof Object.getOwnPropertyDescriptor(globalThis, name).get !== 'function').sort()";
    assert_eq!(
        value(program).await,
        json!([
            "DOMException",
            "atob",
            "btoa",
            "clearTimeout",
            "console",
            "performance",
            "queueMicrotask",
            "setTimeout",
            "tools",
        ])
    );
}

#[tokio::test]
async fn the_keys_of_tools_are_the_tools() {
    assert_eq!(
        value("return [Object.keys(tools), Object.isFrozen(tools), typeof tools.$describe]").await,
        json!([
            ["add", "args", "echo", "fail", "forever", "slow"],
            true,
            "function"
        ])
    );
    assert_eq!(
        value("const seen = []; for (const name in tools) seen.push(name); return seen.length")
            .await,
        json!(6)
    );
    let parameters =
        json!({"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]});
    let host = Arc::new(KitHost(Arc::new(Kit::default().typed(
        "half",
        parameters,
        |call| async move { Ok(call.arguments) },
    ))));
    let program = "
        try { tools.$describe('quarter') } catch (e) { console.log(e.name, e.message) }
        return tools.$describe('half')";
    let done = engine()
        .run(program.to_owned(), host, CancellationToken::new())
        .await
        .expect("ran");
    assert_eq!(
        done.text(),
        "TypeError there is no tool `quarter`\ntools.half(args: { n: number }): Promise<JsonValue>"
    );
}

#[tokio::test]
async fn a_failing_call_says_where() {
    let program = "async function load(id: number) {\n  return await tools.fail({ message: 'gone ' + id });\n}\n\
        try {\n  await load(7);\n} catch (e) {\n  \
        return [e instanceof ToolCallError, e instanceof Error, e.name, e.toolName, e.message, e.stack.replaceAll(/:\\d+\\)/g, ')').split('\\n').map(l => l.trim())];\n}";
    assert_eq!(
        value(program).await,
        json!([
            true,
            true,
            "ToolCallError",
            "fail",
            "gone 7",
            [
                "at load (program.ts:2)",
                "at <anonymous> (program.ts:5)",
                ""
            ]
        ])
    );
}

#[tokio::test]
async fn timers_fire_in_order_and_can_be_cleared() {
    let program = "
        const order = [];
        setTimeout(() => order.push('late'), 20);
        setTimeout((a, b) => order.push(a + b), 5, 'ear', 'ly');
        const never = setTimeout(() => order.push('never'), 1);
        clearTimeout(never); clearTimeout(undefined); clearTimeout(12345);
        await new Promise(done => setTimeout(done, 30));
        order.push(await new Promise(done => setTimeout(done, NaN, 'at once')));
        return order";
    assert_eq!(value(program).await, json!(["early", "late", "at once"]));
    let failure = run("setTimeout('code', 1)").await.expect_err("no function");
    assert_eq!(
        failure.message(),
        "TypeError: setTimeout takes a function first"
    );
}

#[tokio::test]
async fn nothing_left_to_wait_for_fails_at_once() {
    for program in [
        "await new Promise(() => {})",
        "const { promise } = Promise.withResolvers(); await promise",
        "const a: any = (async () => { await b })(), b: any = (async () => { await a })(); await a",
        "for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) {}",
    ] {
        let failure = run(program).await.expect_err(program);
        assert_eq!(failure.kind(), FailureKind::Exception, "{program}");
        if !program.contains("const a: any") {
            assert_eq!(
                failure.message(),
                "the program waits for a promise that nothing can settle: no call and no timer is left",
                "{program}"
            );
        }
    }
}

#[tokio::test]
async fn deep_recursion_is_an_error_like_others() {
    assert_eq!(
        value("let n = 0; const f = () => { n++; f() }; try { f() } catch (e) { return [e.name, n > 500] }").await,
        json!(["RangeError", true])
    );
    for program in [
        "const f = (): number => f() + 1; f()",
        "const o: any = {}; o.toString = () => `${o}`; `${o}`",
        "const a: any[] = []; a[0] = a; new Proxy([], { get: (t, k, r) => r[k] })[0]",
        "let s = '['.repeat(100000); JSON.parse(s)",
        "class A { get x(): number { return this.x } } new A().x",
        "const p: any = new Proxy({}, { get: () => p.x }); p.x",
    ] {
        let failure = run(program).await.expect_err(program);
        assert_eq!(
            failure.kind(),
            FailureKind::Exception,
            "{program}: {failure}"
        );
        assert_eq!(failure.line(), Some(1), "{program}: {failure}");
    }
}

#[tokio::test]
async fn printing_shows_values_as_they_are() {
    for (expression, want) in [
        (
            "'text', 1, -0, 2n, null, undefined, true",
            "text 1 -0 2n null undefined true",
        ),
        (
            "{ a: 1, 'b-c': ['x'], d: { e: {} } }",
            r#"{ a: 1, "b-c": [ "x" ], d: { e: {} } }"#,
        ),
        (
            "new Map([['k', { v: 1 }]]), new Set([1])",
            r#"Map(1) { "k" => { v: 1 } } Set(1) { 1 }"#,
        ),
        (
            "new Date(0), /a+/g, Symbol('s')",
            "1970-01-01T00:00:00.000Z /a+/g Symbol(s)",
        ),
        (
            "() => 1, class A {}, function f() {}",
            "[Function] [Function A] [Function f]",
        ),
        (
            "tools.echo({ value: 1 })",
            "[Promise pending: did you forget `await`?]",
        ),
        ("new (class Point { x = 1 })()", "Point { x: 1 }"),
        ("Object.create(null)", "{}"),
        ("new TypeError('bad').message", "bad"),
        ("{ get x() { throw 1 } }", "{ x: [getter threw] }"),
        ("new Proxy({}, {})", "[Proxy]"),
        ("'\\ud800|\\ud83d\\ude00'", "\u{fffd}|\u{1F600}"),
        ("{ '\\ud800': '\\\\ud800 \"' }", r#"{ "�": "\\ud800 \"" }"#),
        ("[[[[[[1]]]]]]", "[ [ [ [ [Array] ] ] ] ]"),
        (
            "Array.from({ length: 102 }, () => 0).length, Array(101).fill(7).join('').length",
            "102 101",
        ),
    ] {
        assert_eq!(
            text(&format!("console.log({expression})")).await,
            want,
            "{expression}"
        );
    }
    let own = "const a: any = { b: 1 }; a.self = a; console.log(a); console.error('e'); console.assert(false, 'x')";
    assert_eq!(
        text(own).await,
        "{ b: 1, self: [Circular] }\ne\nassertion failed: x"
    );
    assert_eq!(
        text("console.log(Array(102).fill(7))").await,
        format!("[ {}, ... 2 more ]", vec!["7"; 100].join(", "))
    );
}

#[tokio::test]
async fn structured_clone_copies_all_the_way() {
    let program = "
        const from: any = { d: new Date(5), m: new Map([[{ k: 1 }, new Set([1])]]), r: /x/gi, n: [1, , 3], b: new Uint8Array([1, 2]), e: new RangeError('no') };
        from.self = from;
        const to = structuredClone(from);
        const [[key, set]] = to.m;
        let refused; try { structuredClone({ f() {} }) } catch (e) { refused = e.message }
        return [to !== from, to.self === to, to.d.getTime(), key, [...set], String(to.r), 1 in to.n, to.n.length, Array.from(to.b), to.b.buffer !== from.b.buffer, to.e instanceof RangeError, to.e.message, refused]";
    assert_eq!(
        value(program).await,
        json!([
            true, true, 5, {"k": 1}, [1], "/x/gi", false, 3, [1, 2], true, true, "no",
            "structuredClone: a function cannot be copied"
        ])
    );
}

#[tokio::test]
async fn urls_are_taken_apart_and_put_together() {
    let program = "
        const u = new URL('../b c?x=1&y=%20#h', 'https://user:pw@Example.com:443/a/d/');
        u.searchParams.append('z', 'ä&');
        const p = new URLSearchParams({ a: '1', b: '2 3' });
        return [u.href, u.origin, u.host, u.pathname, u.search, u.hash, u.username, [...u.searchParams.keys()], p.toString(), p.get('b'),
            URL.canParse('nonsense'), new URL('http://[::1]:8080/x').host, String(new URL('mailto:a@b.c'))]";
    assert_eq!(
        value(program).await,
        json!([
            "https://user:pw@example.com/a/b%20c?x=1&y=+&z=%C3%A4%26#h",
            "https://example.com",
            "example.com",
            "/a/b%20c",
            "?x=1&y=+&z=%C3%A4%26",
            "#h",
            "user",
            ["x", "y", "z"],
            "a=1&b=2+3",
            "2 3",
            false,
            "[::1]:8080",
            "mailto:a@b.c"
        ])
    );
    let failure = run("new URL('nonsense')").await.expect_err("no URL");
    assert_eq!(failure.line(), Some(1));
}

#[tokio::test]
async fn text_becomes_bytes_and_back() {
    let program = "
        const bytes = new TextEncoder().encode('aé€😀\\ud800');
        return [Array.from(bytes), new TextDecoder().decode(bytes), new TextDecoder('utf-8').decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0xc3]))]";
    assert_eq!(
        value(program).await,
        json!([
            [
                97, 195, 169, 226, 130, 172, 240, 159, 152, 128, 239, 191, 189
            ],
            "aé€😀\u{fffd}",
            "a\u{fffd}\u{fffd}"
        ])
    );
}

#[tokio::test]
async fn random_ids_are_random() {
    let program = "
        const ids = Array.from({ length: 50 }, () => crypto.randomUUID());
        const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
        return [ids.every(id => form.test(id)), new Set(ids).size, crypto.getRandomValues(new Uint8Array(4)).length]";
    assert_eq!(value(program).await, json!([true, 50, 4]));
}
