//! What is left of a program once its types are gone, character for character.

use super::*;
use crate::walk::{ASSERTION, BROKEN, DECORATOR, ENUM, NAMESPACE, PROPERTY};

fn left(program: &str) -> String {
    let erased =
        erase(&Program::new(program)).unwrap_or_else(|error| panic!("{program}: {error:?}"));
    let inner = &erased.javascript[OPEN.len()..erased.javascript.len() - CLOSE.len()];
    inner.to_owned()
}

#[test]
fn types_become_spaces_in_place() {
    for (typed, untyped) in [
        ("let n: number = 1", "let n         = 1"),
        ("const x = y as T;", "const x = y     ;"),
        ("const x = y satisfies T;", "const x = y            ;"),
        ("a!.b!()", "a .b ()"),
        ("let x!: T", "let x    "),
        ("f<string>(1)", "f        (1)"),
        ("new Map<string, number>()", "new Map                ()"),
        ("tag<T>`x`", "tag   `x`"),
        ("const g = f<string>;", "const g = f        ;"),
        ("(<any>x).y", "(     x).y"),
        (
            "function f(a?: T, b: U = 1, ...c: V[]): W { }",
            "function f(a    , b    = 1, ...c     )    { }",
        ),
        ("function f(a?) {}", "function f(a ) {}"),
        ("function f(this: T, a) {}", "function f(         a) {}"),
        ("function f(this: T) {}", "function f(       ) {}"),
        (
            "const f = async <T,>(x: T): Promise<T> => x",
            "const f = async     (x   )             => x",
        ),
        (
            "const f = (x): x is T => true",
            "const f = (x)         => true",
        ),
        (
            "try {} catch (e: unknown) {}",
            "try {} catch (e         ) {}",
        ),
        (
            "for (const x of y as T[]) {}",
            "for (const x of y       ) {}",
        ),
        ("(x as any) = 1", "(x       ) = 1"),
        ("a?.<T>(1)", "a?.   (1)"),
        (
            "const { a, b }: { a: number; b: string } = c",
            "const { a, b }                           = c",
        ),
        (
            "const o = { m<T>(this: X, y: T): void {} }",
            "const o = { m   (         y   )       {} }",
        ),
    ] {
        assert_eq!(left(typed), untyped, "{typed}");
    }
}

#[test]
fn statements_of_types_leave_a_semicolon() {
    for (typed, untyped) in [
        ("type A = string", ";              "),
        ("interface A { b: c }", ";                   "),
        ("declare const x: T;", ";                  "),
        ("declare function f(): T;", ";                       "),
        (
            "function f(): T;\nfunction f() {}",
            ";               \nfunction f() {}",
        ),
        ("declare enum E { A }", ";                   "),
        ("declare class C { x: T }", ";                       "),
        (
            "foo\ninterface X {}\n(bar)()",
            "foo\n;             \n(bar)()",
        ),
    ] {
        assert_eq!(left(typed), untyped, "{typed}");
    }
}

#[test]
fn classes_lose_what_only_types_see() {
    for (typed, untyped) in [
        (
            "abstract class A<T> extends B<T> implements C, D<E> {}",
            "         class A    extends B                       {}",
        ),
        (
            "class A { private x = 1; static readonly y: T = 2 }",
            "class A {         x = 1; static          y    = 2 }",
        ),
        (
            "class A { declare x: T; abstract y(): void; z?: T; w!: T }",
            "class A { ;             ;                   z    ; w     }",
        ),
        ("class A { [k: string]: T }", "class A { ;              }"),
        (
            "class A { m(): T;\n m() {} }",
            "class A { ;      \n m() {} }",
        ),
        (
            "class A { override get x(): T { return 1 } }",
            "class A {          get x()    { return 1 } }",
        ),
        (
            "class A { y = 1\n private *g() {} }",
            "class A { y = 1\n ;       *g() {} }",
        ),
        ("class A { public [k] = 1 }", "class A { ;      [k] = 1 }"),
        ("class A { m?(x: T) {} }", "class A { m (x   ) {} }"),
        (
            "class A { readonly = 1; abstract() {} }",
            "class A { readonly = 1; abstract() {} }",
        ),
    ] {
        assert_eq!(left(typed), untyped, "{typed}");
    }
}

#[test]
fn two_statements_stay_two() {
    assert_eq!(left("x as T\n(1)"), "x ;   \n(1)");
    assert_eq!(left("x satisfies T\n[1]"), "x ;          \n[1]");
    assert_eq!(left("x as T\n`a`"), "x ;   \n`a`");
    assert_eq!(left("x as T\n+ 1"), "x     \n+ 1");
    assert_eq!(left("x as T\ny"), "x     \ny");
}

#[test]
fn an_arrow_stays_on_the_line_of_its_parameters() {
    assert_eq!(
        left("const f = (a): {\n  x: T\n} => a"),
        "const f = (a    \n      \n) => a"
    );
    assert_eq!(
        left("const f = (a): T<\né> => a"),
        "const f = (a     \n  ) => a"
    );
}

#[test]
fn one_byte_for_one_byte() {
    let program = "const é: \"ünï\u{1F600}\" = 'ü'; return é";
    assert_eq!(left(program).len(), program.len());
    assert_eq!(left(program), "const é              = 'ü'; return é");
}

#[test]
fn strings_and_comments_and_values_stay() {
    for program in [
        "const s = 'let n: number'; // x as T",
        "const r = /a<b>(c)!/g; return `x ${a ? b : c} as T`",
        "label: for (;;) break label",
        "const type = 1, as = 2, of = type < as && as > type",
        "a < b && b > (c)",
        "return x ? (y) : z",
        "const o = { as: 1, type: 2, declare: 3, a: b }",
    ] {
        assert_eq!(left(program), program);
    }
}

#[test]
fn typeof_of_a_missing_global_is_undefined() {
    assert_eq!(left("typeof process"), "typeof _______");
    assert_eq!(
        left("const _______ = 1; typeof process"),
        "const _______ = 1; typeof $$$$$$$"
    );
    assert_eq!(left("const fs = 1; typeof fs"), "const fs = 1; typeof fs");
    assert_eq!(left("typeof other"), "typeof other");
}

fn refused(program: &str) -> (String, usize, usize, Option<&'static str>) {
    let error = erase(&Program::new(program)).expect_err(program);
    (error.message, error.at.line, error.at.column, error.hint)
}

#[test]
fn what_cannot_be_erased_is_refused_with_the_other_way() {
    for (program, (message, hint), line, column) in [
        ("1\nenum E { A }", ENUM, 2, 1),
        ("const enum E { A }", ENUM, 1, 1),
        ("namespace N { export const x = 1 }", NAMESPACE, 1, 1),
        ("class A { constructor(private x: T) {} }", PROPERTY, 1, 23),
        ("@d class A {}", DECORATOR, 1, 1),
        ("const f = () => <T>{ a: 1 }", ASSERTION, 1, 17),
        ("return <\nT>x", ASSERTION, 1, 8),
        ("return <T,\nU>(x) => x", BROKEN, 1, 8),
    ] {
        assert_eq!(
            refused(program),
            (message.to_owned(), line, column, Some(hint)),
            "{program}"
        );
    }
}

#[test]
fn nothing_leaves_the_function() {
    let hint = Some("`code` is the body of one async function: leave out what stands around it");
    let message = "the program closes a `}` that it did not open".to_owned();
    for (program, line, column) in [
        ("}); evil(); (async()=>{", 1, 1),
        ("1;\n})(); evil(); (async()=>{", 2, 1),
        ("}, async()=>{", 1, 1),
        ("}) || (async()=>{", 1, 1),
        ("})().then(async()=>{", 1, 1),
    ] {
        assert_eq!(
            refused(program),
            (message.clone(), line, column, hint),
            "{program}"
        );
    }
}

#[test]
fn modules_are_refused() {
    for program in [
        "a\nimport x from 'fs'",
        "a\nimport { x } from 'fs'",
        "a\nawait import('fs')",
    ] {
        let (message, line, _, hint) = refused(program);
        assert!(message.ends_with("does not work in a program"), "{message}");
        assert_eq!((line, hint), (2, Some(syntax::NO_MODULES)), "{program}");
    }
    for program in ["export const x = 1", "export default 1", "export {}"] {
        assert_eq!(
            refused(program),
            (
                "a program exports nothing".to_owned(),
                1,
                1,
                Some("end the program with `return value`")
            ),
        );
    }
}

#[test]
fn syntax_errors_name_the_line_of_the_program() {
    let close = Some("close it, or take it out");
    let line = Some("close the quote on its line; text of several lines goes into backticks");
    let outside = Some("`code` is the body of one async function: leave out what stands around it");
    let ends = "the program ends before this `{` is closed";
    for (program, message, line, column, hint) in [
        ("const a = 1;\nconst b = ;", "unexpected token", 2, 11, None),
        (
            "return 1\n}",
            "the program closes a `}` that it did not open",
            2,
            1,
            outside,
        ),
        ("if (x) {\n  a('}') // }\n", ends, 1, 8, close),
        ("return {", ends, 1, 8, close),
        ("const s = `abc", "unterminated string", 1, 11, line),
        ("a\nconst s = 'abc", "unterminated string", 2, 11, line),
        ("/* open", "unterminated multiline comment", 1, 1, None),
        (
            "```ts\nreturn 1",
            "unterminated string",
            1,
            3,
            Some("send the program alone, without code fences inside it"),
        ),
        (
            "a\n\0",
            "the program holds a NUL character",
            2,
            1,
            Some("in a string, write it as `\\0`"),
        ),
        (
            "def f(x):\n  return x",
            "expected a semicolon or an implicit semicolon after a statement, but found none",
            1,
            4,
            Some("`code` is TypeScript, not Python"),
        ),
    ] {
        assert_eq!(
            refused(program),
            (message.to_owned(), line, column, hint),
            "{program}"
        );
    }
}
