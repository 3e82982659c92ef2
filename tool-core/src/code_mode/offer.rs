//! What a model is offered: tools by name, and the text for its system prompt.

use std::sync::Arc;

use super::program::ProgramTool;
use crate::definition::{Definition, RUN_CODE, ToolSchema};
use crate::dialect::{Dialect, Export, export};
use crate::error::RegisterError;
use crate::lookup;
use crate::presentation::Presentation;
use crate::registry::View;
use crate::runtime::Shared;

/// Everything a model is told of the tools of one scope, at one moment.
///
/// ```
/// use tool_core::dialect::Dialect;
/// use tool_core::{ToolRuntime, tool};
///
/// /// Greets.
/// #[tool]
/// fn hello(name: String) -> String { format!("Hello, {name}!") }
///
/// let runtime = ToolRuntime::builder().tool(hello {}).build()?;
/// let offer = runtime.offer()?;
/// assert_eq!(offer.schemas()[0].name, "hello");
/// assert_eq!(offer.system_prompt(), None);
/// let export = offer.export(Dialect::Anthropic { strict: false });
/// # let _ = export;
/// # Ok::<(), tool_core::RegisterError>(())
/// ```
pub struct Offer {
    presentation: Presentation,
    presented: Vec<Arc<Definition>>,
    program_tools: Option<Vec<ProgramTool>>,
    system_prompt: Option<String>,
}

impl Offer {
    pub(crate) fn new(shared: &Shared, view: &View) -> Result<Self, RegisterError> {
        let presentation = shared.presentation(view);
        let presented = lookup::presented(shared, view);
        let mut offer = Self {
            presentation,
            presented: presented.into_iter().cloned().collect(),
            program_tools: None,
            system_prompt: None,
        };
        if presentation == Presentation::Native {
            return Ok(offer);
        }
        let Some(runtime) = &shared.code_runtime else {
            return Err(RegisterError::MissingCodeRuntime { presentation });
        };
        let callable = lookup::callable_by_programs(view);
        let tools: Vec<_> = callable.into_iter().map(|it| ProgramTool::of(it)).collect();
        let mut prompt = String::new();
        if offer.only_run_code() {
            prompt.push_str(&format!(
                "Only `{RUN_CODE}` can be called directly. Call every other tool from inside a \
                 `{RUN_CODE}` program.\n\n"
            ));
        }
        prompt.push_str(&runtime.interface(&tools));
        offer.system_prompt = Some(prompt);
        offer.program_tools = Some(tools);
        Ok(offer)
    }

    /// How the tools are presented.
    pub fn presentation(&self) -> Presentation {
        self.presentation
    }

    /// The tools the model may call by name, in a stable order.
    pub fn schemas(&self) -> Vec<Arc<ToolSchema>> {
        self.presented.iter().map(|it| it.schema.clone()).collect()
    }

    /// The same as a provider takes them, with a report of what its dialect cannot express.
    pub fn export(&self, dialect: Dialect) -> Export {
        export(self.presented.iter().map(|it| it.exportable()), dialect)
    }

    /// The tools that programs may call; `None` if there are no programs.
    pub fn program_tools(&self) -> Option<&[ProgramTool]> {
        self.program_tools.as_deref()
    }

    /// Whether `run_code` is the only tool the model may call by name, and is told so.
    pub fn only_run_code(&self) -> bool {
        self.presentation == Presentation::Code
    }

    /// What belongs into the system prompt: the rule about `run_code` if there is one, and the
    /// declarations of the tools. `None` where the tools are presented by name alone.
    pub fn system_prompt(&self) -> Option<&str> {
        self.system_prompt.as_deref()
    }
}

impl std::fmt::Debug for Offer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Offer")
            .field("presentation", &self.presentation)
            .field("schemas", &self.schemas())
            .field("program_tools", &self.program_tools)
            .field("system_prompt", &self.system_prompt)
            .finish_non_exhaustive()
    }
}
