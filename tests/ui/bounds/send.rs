// errors: 1
use tool_core::tool;

/// Holds what cannot be sent.
#[tool]
async fn local() {
    let text = std::rc::Rc::new(1);
    std::future::ready(()).await;
    drop(text);
}

fn main() {}
