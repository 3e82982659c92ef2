//! What a model reads when its program fails: the kind, its own line, what to change.
//!
//! `messages.txt` holds programs and texts. After a wanted change, `UPDATE_SNAPSHOTS=1` writes it
//! anew; read the difference.

mod common;

use std::fmt::Write as _;
use std::time::Duration;

use common::{Kit, limited, run_on};
use tool_code_mode::Limits;

const PROGRAMS: &[&str] = &[
    "const users = await tools.echo({ value: [] });\nconsole.log(users.length, 'users');\nreturn users[7].name;",
    "const found = await tools.serach({ q: 'x' });",
    "const found = await tools.ecko({ value: 1 });",
    "const a = 1;\nconst b = echo({ value: a });",
    "const total = 1 + coutn;",
    "import { readFile } from 'fs';\nreturn readFile('x');",
    "const text = await fs.readFile('x');",
    "const page = await fetch('https://example.com');",
    "enum Color { Red }\nreturn Color.Red;",
    "const x = {\n  a: 1,\n  b: [1, 2\n};\nreturn x;",
    "for (const x of [1, 2]) {\n  console.log(x);\n",
    "console.log('start');\nawait tools.fail({ message: 'no such file: a.txt' });",
    "await tools.args(undefined);",
    "const out = tools.echo({ value: 1 });\nreturn { out };",
    "const when = new Date(0);\nreturn { when };",
    "let n = 0;\nwhile (true) {\n  n += 1;\n}",
    "function spin(n: number) {\n  let x = n;\n  do { x = x * 2 % 1000003 } while (x !== -1);\n}\nconst rows = await tools.echo({ value: [1] });\nspin(rows[0]);",
    "const rows = await tools.echo({ value: [1, 2] });\nfor (const row of rows) console.log(row);\nlet n = 0;\nfor (;;) n += 1;",
    "const rows = tools.echo({ value: [1, 2] });\nreturn rows.map(row => row);",
    "await sleep(1000);",
    "return await Promise.any([tools.fail({}), tools.fail({ message: 'b' })]);",
    "console.log('waiting');\nawait tools.forever();",
    "const wait = new Promise(() => {});\nawait wait;",
    "function down(n: number): number {\n  return down(n + 1);\n}\nreturn down(0);",
    "const rows: string[] = [];\nfor (;;) rows.push('x'.repeat(100000));",
    "for (let i = 0; i < 20000; i++) console.log('line', i);",
    "for (let i = 0; i < 600; i++) await tools.echo({ value: i });",
    "const limit = 10;\nlimit = 20;",
    "const data = await tools.echo({ value: 'not json' });\nreturn JSON.parse(data);",
    "const list = await tools.echo({ value: { items: [1] } });\nfor (const item of list) console.log(item);",
    "if (true) {\n  throw 'stop here';\n}",
    "return 1;\n}); evil(); (async () => {",
    "const text = 'one;\nreturn text;",
];

async fn texts() -> String {
    let limits = Limits::new()
        .cpu(Duration::from_millis(300))
        .wall(Duration::from_millis(1_500))
        .heap(4 << 20)
        .output(1 << 10);
    let engine = limited(limits);
    let mut out = String::new();
    for program in PROGRAMS {
        let failure = run_on(&engine, Kit::usual(), program)
            .await
            .expect_err(program);
        let text = failure.to_string();
        let text = text
            .split("\nprinted before:\nline 0")
            .next()
            .expect("a part");
        let _ = write!(out, "{program}\n----\n{text}\n\n====\n\n");
    }
    out
}

#[tokio::test]
async fn messages_are_as_written_down() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/messages.txt");
    let texts = texts().await;
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, &texts).expect("the snapshot is written");
    }
    let known = std::fs::read_to_string(path).expect("the snapshot is there");
    assert_eq!(
        texts, known,
        "to accept the new texts, run with UPDATE_SNAPSHOTS=1"
    );
}
