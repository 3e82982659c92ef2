//! The same work twice: once the model names tools one by one, once it writes a program. Prints what
//! it is sent and what comes back each way, and how much text that is.

#![expect(clippy::needless_pass_by_value, reason = "tools own their arguments")]

use serde_json::{Value, json};
use tool_code_mode::QuickJs;
use tool_core::{
    Presentation, RegisterError, ToolCall, ToolResult, ToolRuntime, ToolRuntimeBuilder, guard, tool,
};

/// Adds two numbers.
#[tool(read_only, concurrency_safe)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Says where it runs.
#[tool(read_only, concurrency_safe)]
fn env_probe() -> String {
    format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The temperature in a city now, in degrees Celsius.
#[tool(read_only, concurrency_safe)]
fn temperature(city: String) -> f64 {
    f64::from(u32::try_from(city.len()).unwrap_or_default()) * 2.5
}

/// Deletes a file.
#[tool(destructive)]
fn delete_file(path: String) -> String {
    format!("{path} is gone")
}

/// Nothing outside of `tmp/` is deleted, whoever calls.
#[guard(tool = delete_file)]
fn only_tmp(path: &str) -> Option<String> {
    (!path.starts_with("tmp/")).then(|| format!("{path:?} is not below tmp/"))
}

fn builder() -> ToolRuntimeBuilder {
    ToolRuntime::builder()
        .tool(add {})
        .tool(env_probe {})
        .tool(temperature {})
        .tool(delete_file {})
        .guard(only_tmp {})
}

#[tokio::main]
async fn main() -> Result<(), RegisterError> {
    let native = builder().build()?;
    let code = builder()
        .presentation(Presentation::Code)
        .code_runtime(QuickJs::new())
        .build()?;

    heading("What the model is told");
    println!("native: {} tools by name", native.schemas().len());
    let offer = code.offer()?;
    let prompt = offer.system_prompt().unwrap_or_default();
    println!(
        "code:   {} tool by name, and this in the system prompt:",
        offer.schemas().len()
    );
    println!("\n{prompt}");

    heading("The same request both ways");
    let sum = native
        .execute(ToolCall::new("n1", "add", r#"{"a":2,"b":3}"#))
        .await;
    let place = native.execute(ToolCall::new("n2", "env_probe", "{}")).await;
    println!(
        "native: add -> {}, env_probe -> {}",
        sum.text(),
        place.text()
    );
    let program = "const [sum, place] = await Promise.all([tools.add({ a: 2, b: 3 }), tools.env_probe()]);\n\
                   return `${sum} on ${place}`;";
    let both = run(&code, "c1", program).await;
    println!("code:   {}", both.text());
    assert_eq!(both.text(), format!("{} on {}", sum.text(), place.text()));

    // In code, the tools themselves are not callable by name.
    let direct = code
        .execute(ToolCall::new("c2", "add", r#"{"a":2,"b":3}"#))
        .await;
    println!("direct: {}", direct.text());
    assert!(direct.is_error());

    heading("Fifty calls");
    let program = "let sum = 0;\n\
                   for (let n = 1; n <= 50; n++) sum = await tools.add({ a: sum, b: n });\n\
                   return sum;";
    let in_code = run(&code, "c3", program).await;
    assert_eq!(in_code.text(), "1275");
    let mut turns = Turns::default();
    let mut total: i64 = 0;
    for n in 1..=50 {
        let arguments = json!({"a": total, "b": n});
        let call = ToolCall::new(format!("n{n}"), "add", arguments.clone());
        let result = native.execute(call).await;
        turns.add(&arguments, &result);
        total = result.value().and_then(Value::as_i64).unwrap_or_default();
    }
    assert_eq!(total, 1275);
    let mut one = Turns::default();
    one.add(&json!({"code": program, "description": "Add"}), &in_code);
    println!("native: {turns}");
    println!("code:   {one}");

    heading("Together, and with a denial that the program catches");
    let program = "const cities = ['Oslo', 'Lima', 'Ulaanbaatar'];\n\
                   const all = await Promise.all(cities.map(city => tools.temperature({ city })));\n\
                   const warmest = cities[all.indexOf(Math.max(...all))];\n\
                   try {\n  \
                     await tools.delete_file({ path: '/etc/passwd' });\n\
                   } catch (e) {\n  \
                     console.log(`${e.toolName}: ${e.message}`);\n\
                   }\n\
                   return { warmest };";
    let result = run(&code, "c4", program).await;
    println!("{}", result.text());
    assert_eq!(
        result.text(),
        "delete_file: \"/etc/passwd\" is not below tmp/\n{\n  \"warmest\": \"Ulaanbaatar\"\n}"
    );
    Ok(())
}

async fn run(runtime: &ToolRuntime, call_id: &str, program: &str) -> ToolResult {
    let arguments = json!({"code": program, "description": "Run a program of the example"});
    runtime
        .execute(ToolCall::new(call_id, "run_code", arguments))
        .await
}

fn heading(text: &str) {
    println!("\n== {text}\n");
}

/// The text that a conversation carries: what the model writes, what it reads, and that it reads
/// all of it again at each later turn.
#[derive(Default)]
struct Turns {
    count: usize,
    written: usize,
    conversation: usize,
    read: usize,
}

impl Turns {
    fn add(&mut self, arguments: &Value, result: &ToolResult) {
        let written = arguments.to_string().len();
        self.count += 1;
        self.written += written;
        self.conversation += written + result.text().len();
        self.read += self.conversation;
    }
}

impl std::fmt::Display for Turns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Four bytes a token is the usual rule of thumb.
        let tokens = |bytes: usize| bytes.div_ceil(4);
        write!(
            f,
            "{}, about {} tokens written and {} read",
            match self.count {
                1 => "1 turn".to_owned(),
                count => format!("{count} turns"),
            },
            tokens(self.written),
            tokens(self.read)
        )
    }
}
