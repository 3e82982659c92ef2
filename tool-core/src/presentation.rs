//! How tools are shown to a model: by name, or through programs.

/// How the tools of a scope are presented to a model.
///
/// A runtime has a default; a scope may declare another for itself and everything below it.
///
/// ```
/// use tool_core::{Presentation, ToolRuntime, tool};
///
/// /// Greets.
/// #[tool]
/// fn hello(name: String) -> String { format!("Hello, {name}!") }
///
/// let runtime = ToolRuntime::builder().tool(hello {}).build()?;
/// let agent = runtime.scope("agent")?;
/// agent.present_as(Presentation::Code)?;
/// let names = |schemas: Vec<std::sync::Arc<tool_core::ToolSchema>>| -> Vec<String> {
///     schemas.iter().map(|schema| schema.name.clone()).collect()
/// };
/// assert_eq!(names(runtime.schemas()), ["hello"]);
/// assert_eq!(names(agent.schemas()), ["run_code"]);
/// // What the model is told of `run_code` needs something that runs programs.
/// assert!(agent.offer().is_err());
/// # Ok::<(), tool_core::RegisterError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Presentation {
    /// Each tool by name.
    #[default]
    Native,
    /// One tool, `run_code`, whose programs call the others.
    #[doc(alias = "PTC")]
    Code,
    /// Both.
    Both,
}
