//! C115: there is nothing to escape to.

use serde_json::json;
use tool_code_mode::FailureKind;

use crate::common::{run, value};

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
