//! One tool for everybody, one for each of two agents: what each agent's model is sent.

use serde_json::json;
use tool_core::{RegisterError, ToolRuntime, tool};

/// test tool foo
#[tool]
fn foo() -> String {
    "foo".to_owned()
}

/// test tool bar
#[tool]
fn bar() -> String {
    "bar".to_owned()
}

/// test tool baz
#[tool]
fn baz() -> String {
    "baz".to_owned()
}

fn main() -> Result<(), RegisterError> {
    let runtime = ToolRuntime::builder().tool(foo {}).build()?;
    let agent1 = runtime.scope("agent1")?;
    let agent2 = runtime.scope("agent2")?;
    agent1.register(bar {})?;
    agent2.register(baz {})?;

    let (first, second) = (json!(agent1.schemas()), json!(agent2.schemas()));
    println!("agent1: {first:#}\n\nagent2: {second:#}");

    let no_parameters = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let schema = |name: &str| {
        json!({
            "name": name,
            "description": format!("test tool {name}"),
            "parameters": no_parameters,
        })
    };
    assert_eq!(first, json!([schema("foo"), schema("bar")]));
    assert_eq!(second, json!([schema("foo"), schema("baz")]));
    Ok(())
}
