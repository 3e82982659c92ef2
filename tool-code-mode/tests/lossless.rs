//! Values that leave a program: exactly JSON, or refused with the reason and the place.

mod common;

use std::sync::Arc;

use common::{Kit, KitHost, engine, run, run_on, value};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_code_mode::FailureKind;

#[tokio::test]
async fn what_is_json_comes_out_as_it_is() {
    for (program, want) in [
        ("return null", json!(null)),
        ("return [true, false]", json!([true, false])),
        ("return 'a\\u0000\\n\u{1F600}'", json!("a\u{0}\n\u{1F600}")),
        (
            "return [0, -1, 1.5, 1e21, 2**53 - 1, -(2**53 - 1), 5e-324]",
            json!([
                0,
                -1,
                1.5,
                1e21,
                9_007_199_254_740_991_i64,
                -9_007_199_254_740_991_i64,
                5e-324
            ]),
        ),
        ("return [[], {}, [[{}]]]", json!([[], {}, [[{}]]])),
        (
            "return JSON.parse('{\"__proto__\": 1, \"constructor\": 2, \"a b\": 3}')",
            serde_json::from_str(r#"{"__proto__": 1, "constructor": 2, "a b": 3}"#).expect("json"),
        ),
        (
            "const o = Object.create(null); o.x = 1; return o",
            json!({"x": 1}),
        ),
        (
            "const shared = {x: 1}; return [shared, shared]",
            json!([{"x": 1}, {"x": 1}]),
        ),
        ("return { get x() { return 1 } }", json!({"x": 1})),
    ] {
        assert_eq!(value(program).await, want, "{program}");
    }
}

#[tokio::test]
async fn what_is_not_json_says_why_and_where() {
    for (expression, reason) in [
        ("[undefined]", "undefined is not JSON at [0]"),
        (
            "({items: [0, {x: undefined}]})",
            "undefined is not JSON at .items[1].x",
        ),
        (
            "({'a b': {c: undefined}})",
            "undefined is not JSON at [\"a b\"].c",
        ),
        ("10n", "a BigInt is not JSON"),
        ("[NaN]", "NaN is not JSON at [0]"),
        ("Infinity", "Infinity is not JSON"),
        ("-Infinity", "-Infinity is not JSON"),
        ("-0", "-0 is not JSON"),
        ("(() => 1)", "a function is not JSON"),
        ("class A {}", "a function is not JSON"),
        ("Symbol('x')", "a symbol is not JSON"),
        ("new Date(0)", "a Date is not JSON"),
        ("new Map()", "a Map is not JSON"),
        ("new Set()", "a Set is not JSON"),
        ("/a/", "a RegExp is not JSON"),
        ("new Error('x')", "an Error is not JSON"),
        ("new Uint8Array(2)", "an instance of Uint8Array is not JSON"),
        ("new String('x')", "a String is not JSON"),
        ("new (class Point { x = 1 })()", "a Point is not JSON"),
        ("new Proxy({}, {})", "a Proxy is not JSON"),
        ("[Promise.resolve(1)]", "a promise is not JSON at [0]"),
        (
            "[1, , 2]",
            "an array with holes or extra properties is not JSON",
        ),
        (
            "Object.assign([1], {x: 1})",
            "an array with holes or extra properties is not JSON",
        ),
        (
            "new (class extends Array {})()",
            "an object of a class is not JSON",
        ),
        (
            "({[Symbol('x')]: 1})",
            "an object with symbols or hidden properties is not JSON",
        ),
        (
            "Object.defineProperty({}, 'x', {value: 1})",
            "an object with symbols or hidden properties is not JSON",
        ),
        (
            "({ get x() { throw 1 } })",
            "a getter that throws is not JSON at .x",
        ),
        (
            "(() => { const a = {b: []}; a.b.push(a); return a })()",
            "an object that holds itself is not JSON at .b[0]",
        ),
        ("'\\ud800'", "a string with half of a character is not JSON"),
        (
            "({'\\ud800': 1})",
            "a key with half of a character is not JSON",
        ),
        (
            "(() => { let a = 1; for (let i = 0; i < 513; i++) a = [a]; return a })()",
            "more than 512 levels are not allowed",
        ),
    ] {
        let failure = run(&format!("return {expression}"))
            .await
            .expect_err(expression);
        assert_eq!(failure.kind(), FailureKind::InvalidOutput, "{expression}");
        assert_eq!(
            failure.message(),
            format!("returned value: {reason}"),
            "{expression}"
        );
        assert_eq!(failure.line(), Some(1), "{expression}");
    }
}

#[tokio::test]
async fn the_same_rules_hold_for_arguments_and_use_no_number() {
    let program = "
        const bad = [undefined, {text: undefined}, {text: NaN}, {text: 10n}, {text: () => 1},
            {text: -0}, {text: new Date(0)}, Object.assign([], {1: 1})];
        const out = [];
        for (const b of bad) {
            try { await tools.args(b); out.push('ok') } catch (e) { out.push(e.message) }
        }
        try { await tools.args({}, {}) } catch (e) { out.push(e.message) }
        out.push(await tools.args({text: 'fine'}), await tools.args());
        return out";
    let kit = Arc::new(Kit::usual());
    let host = Arc::new(KitHost(Arc::clone(&kit)));
    let done = engine()
        .run(program.to_owned(), host, CancellationToken::new())
        .await;
    let lead = "the arguments are not acceptable: ";
    assert_eq!(
        done.expect("ran").result(),
        Some(&json!([
            format!("{lead}undefined is not JSON: pass an object, such as `{{}}`"),
            format!("{lead}undefined is not JSON at .text: leave the property out, or use null"),
            format!("{lead}NaN is not JSON at .text: use null"),
            format!("{lead}a BigInt is not JSON at .text: use a number or a string"),
            format!("{lead}a function is not JSON at .text: call it, or leave it out"),
            format!("{lead}-0 is not JSON at .text: use 0"),
            format!("{lead}a Date is not JSON at .text: use `.toISOString()`"),
            format!("{lead}an array with holes or extra properties is not JSON"),
            "`tools.args` takes one argument, an object; it got 2",
            {"text": "fine"},
            {},
        ]))
    );
    assert_eq!(kit.called(), [r#"1 args {"text":"fine"}"#, "2 args {}"]);
}

#[tokio::test]
async fn arguments_are_a_snapshot() {
    let program =
        "const a = {list: [1]}; const p = tools.args(a); a.list.push(2); a.x = 1; return p";
    assert_eq!(value(program).await, json!({"list": [1]}));
}

#[tokio::test]
async fn arguments_have_a_size() {
    let program =
        "try { await tools.args({text: 'x'.repeat(2 ** 21)}) } catch (e) { return e.message }";
    assert_eq!(
        value(program).await,
        "the arguments are not acceptable: more than 1 MiB of JSON"
    );
    // Shared parts count as often as they are sent.
    let program = "let a = ['x']; for (let i = 0; i < 40; i++) a = [a, a];
        try { await tools.args(a) } catch (e) { return e.message }";
    assert_eq!(
        value(program).await,
        "the arguments are not acceptable: more than 1 MiB of JSON"
    );
}

/// C62: integers beyond 2^53 keep every digit, in and out.
#[tokio::test]
async fn c62_integers_keep_every_digit() {
    let wide = json!({"type": "integer", "minimum": 0, "maximum": u64::MAX});
    let parameters = json!({
        "type": "object",
        "properties": {
            "id": wide.clone(),
            "maybe": {"anyOf": [{"$ref": "#/$defs/Id"}, {"type": "null"}]},
            "list": {"type": "array", "items": {"$ref": "#/$defs/Id"}},
            "text": {"type": "string"},
        },
        "$defs": {"Id": wide},
    });
    let kit = || {
        Kit::default().typed("get", parameters.clone(), |call| async move {
            Ok(call.arguments)
        })
    };
    for (argument, sent, seen) in [
        (
            "{id: '1917043659912705297'}",
            json!({"id": 1_917_043_659_912_705_297_u64}),
            "1917043659912705297",
        ),
        (
            "{id: 1917043659912705297n}",
            json!({"id": 1_917_043_659_912_705_297_u64}),
            "1917043659912705297",
        ),
        (
            "{id: '18446744073709551615'}",
            json!({"id": u64::MAX}),
            "18446744073709551615",
        ),
    ] {
        let kit = Arc::new(kit());
        let host = Arc::new(KitHost(Arc::clone(&kit)));
        let program = format!("return (await tools.get({argument})).id");
        let done = engine()
            .run(program, host, CancellationToken::new())
            .await
            .expect(argument);
        assert_eq!(kit.calls.lock().expect("calls")[0].2, sent, "{argument}");
        assert_eq!(done.text(), seen, "{argument}");
    }
    let out = |program: &'static str| {
        let kit = kit();
        async move {
            run_on(&engine(), kit, program)
                .await
                .expect(program)
                .result()
                .cloned()
        }
    };
    assert_eq!(
        out("return tools.get({id: 5, maybe: '9007199254740993', list: ['1', 2, 3n], text: '12'})")
            .await,
        Some(json!({"id": 5, "maybe": "9007199254740993", "list": [1, 2, 3], "text": "12"})),
    );
    assert_eq!(
        out("try { await tools.get({id: 1917043659912705297}) } catch (e) { return e.message }")
            .await,
        Some(json!(
            "the arguments are not acceptable: a number beyond 2^53 has lost digits at .id: write \
             the integer as a string of all its digits"
        )),
    );
    assert_eq!(
        out(
            "try { await tools.get({id: '18446744073709551616'}) } catch (e) { return 1 } return 2"
        )
        .await,
        Some(json!(2)),
        "not 64 bits: it stays the string that it is, for the tool's own validation to refuse",
    );
}

/// C64: deep values reach neither side.
#[tokio::test]
async fn c64_deep_values_are_refused() {
    fn nested(levels: usize) -> Value {
        (0..levels).fold(json!(1), |inner, _| json!([inner]))
    }
    for (levels, want) in [
        (512, json!(512)),
        (513, json!("the value nests deeper than 512")),
    ] {
        let kit = Kit::default().tool("deep", move |_| async move { Ok(nested(levels)) });
        let program = "try { let v = await tools.deep(), n = 0; while (Array.isArray(v)) { v = v[0]; n++ } return n }
            catch (e) { return e.message }";
        let done = run_on(&engine(), kit, program).await.expect("ran");
        assert_eq!(done.result(), Some(&want), "{levels}");
    }
    let program = "let a = 1; for (let i = 0; i < 1e5; i++) a = [a];
        try { await tools.args({v: a}) } catch (e) { return e.message }";
    assert_eq!(
        value(program).await,
        "the arguments are not acceptable: more than 512 levels are not allowed"
    );
    assert_eq!(
        value("try { JSON.parse('['.repeat(1e5)) } catch (e) { return e instanceof Error }").await,
        true
    );
}
