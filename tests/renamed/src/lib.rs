//! Tools and hooks of a crate that knows tool-core by another name.

use tools::{PostDecision, guard, post_execute, tool, toolbox};

/// Greets somebody by name.
#[tool(crate = tools, args = HelloArgs)]
#[must_use]
pub fn hello(
    /// Who to greet.
    name: String,
    times: Option<u32>,
) -> String {
    name + &"!".repeat(times.map_or(1, |times| times as usize))
}

/// Nobody greets the whole world.
#[guard(crate = tools, tool = hello)]
#[must_use]
pub fn not_world(name: &str) -> Option<String> {
    (name == "World").then(|| "not the world".to_owned())
}

/// Shouting is for the program.
#[post_execute(crate = ::tools, tool = hello)]
pub async fn calm_down(value: &str) -> PostDecision<String> {
    std::future::ready(()).await;
    PostDecision::value(value.replace('!', "."))
}

/// A box of one.
pub struct Weather(char);

#[toolbox(crate = tools)]
impl Weather {
    /// The forecast for a city.
    #[tool]
    #[must_use]
    pub fn forecast(&self, city: String) -> String {
        city + &self.0.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::{ToolCall, ToolRuntime};

    #[tokio::test]
    async fn it_works_under_another_name() {
        let runtime = ToolRuntime::builder()
            .tool(hello {})
            .toolbox(Weather('C'))
            .guard(not_world {})
            .post_execute(calm_down {})
            .build()
            .unwrap();
        let text = async |name: &str, arguments: &str| {
            runtime
                .execute(ToolCall::new("call_1", name, arguments))
                .await
                .text()
        };
        assert_eq!(text("hello", r#"{"name":"Ada","times":2}"#).await, "Ada..");
        assert_eq!(
            text("hello", r#"{"name":"World"}"#).await,
            "Error: not the world"
        );
        assert_eq!(text("forecast", r#"{"city":"Oslo"}"#).await, "OsloC");
        let arguments = HelloArgs {
            name: "Bob".to_owned(),
            times: None,
        };
        assert_eq!(
            runtime.call::<hello>(arguments).await,
            Ok("Bob.".to_owned())
        );
    }
}
