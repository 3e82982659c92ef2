//! Toolboxes: tools and hooks that share an instance, and what takes them.

use crate::definition::{IntoDefinition, ToolDefinition};
use crate::error::RegisterError;
use crate::hook::{AroundExecute, Guard, OnResult, PostExecute, PreExecute};
use crate::runtime::{ToolRuntime, ToolRuntimeBuilder};
use crate::scope::{Registration, Scope};

/// Installs tools and hooks; what [`Toolbox::install`] fills: a builder, the runtime or a scope.
pub trait Install: Sized {
    /// Takes a tool.
    #[must_use]
    fn tool(self, tool: impl IntoDefinition) -> Self;
    /// Takes a guard.
    #[must_use]
    fn guard(self, hook: impl Guard) -> Self;
    /// Takes a pre-execute hook.
    #[must_use]
    fn pre_execute(self, hook: impl PreExecute) -> Self;
    /// Takes an around-execute hook.
    #[must_use]
    fn around_execute(self, hook: impl AroundExecute) -> Self;
    /// Takes a post-execute hook.
    #[must_use]
    fn post_execute(self, hook: impl PostExecute) -> Self;
    /// Takes an observer.
    #[must_use]
    fn on_result(self, hook: impl OnResult) -> Self;
}

/// A value whose methods are tools, which share it. `#[toolbox]` on an `impl` block implements it.
///
/// ```
/// use tool_core::{ToolCall, ToolRuntime, toolbox};
///
/// struct Weather {
///     unit: char,
/// }
///
/// #[toolbox(prefix = "weather_")]
/// impl Weather {
///     /// The forecast for a city.
///     #[tool(read_only)]
///     async fn forecast(&self, city: String) -> String {
///         format!("{city}: 20 {}", self.unit)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let runtime = ToolRuntime::builder().toolbox(Weather { unit: 'C' }).build().unwrap();
/// let call = ToolCall::new("call_1", "weather_forecast", r#"{"city":"Oslo"}"#);
/// assert_eq!(runtime.execute(call).await.text(), "Oslo: 20 C");
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a toolbox",
    label = "no tools here",
    note = "put `#[toolbox]` on the `impl` block whose methods are tools"
)]
pub trait Toolbox: Send + Sync + 'static {
    /// Hands every tool and hook to `into`.
    fn install<I: Install>(self, into: I) -> I;
}

/// The runtime's builder takes what a toolbox holds.
impl Install for ToolRuntimeBuilder {
    fn tool(self, tool: impl IntoDefinition) -> Self {
        Self::tool(self, tool)
    }

    fn guard(self, hook: impl Guard) -> Self {
        Self::guard(self, hook)
    }

    fn pre_execute(self, hook: impl PreExecute) -> Self {
        Self::pre_execute(self, hook)
    }

    fn around_execute(self, hook: impl AroundExecute) -> Self {
        Self::around_execute(self, hook)
    }

    fn post_execute(self, hook: impl PostExecute) -> Self {
        Self::post_execute(self, hook)
    }

    fn on_result(self, hook: impl OnResult) -> Self {
        Self::on_result(self, hook)
    }
}

/// Registers one hook.
type Registering<'a, P> = Box<dyn FnOnce(&P) -> Registration + 'a>;

/// What a toolbox holds on its way into a runtime or a scope: the tools first, all or none, then the
/// hooks, so that a box whose tools are refused leaves no policy behind.
struct Pending<'a, P> {
    place: &'a P,
    tools: Vec<ToolDefinition>,
    hooks: Vec<Registering<'a, P>>,
}

macro_rules! installing {
    ($place:ty) => {
        impl Install for Pending<'_, $place> {
            fn tool(mut self, tool: impl IntoDefinition) -> Self {
                self.tools.push(tool.into_definition());
                self
            }

            fn guard(mut self, hook: impl Guard) -> Self {
                self.hooks.push(Box::new(|place| place.guard(hook)));
                self
            }

            fn pre_execute(mut self, hook: impl PreExecute) -> Self {
                self.hooks.push(Box::new(|place| place.pre_execute(hook)));
                self
            }

            fn around_execute(mut self, hook: impl AroundExecute) -> Self {
                self.hooks
                    .push(Box::new(|place| place.around_execute(hook)));
                self
            }

            fn post_execute(mut self, hook: impl PostExecute) -> Self {
                self.hooks.push(Box::new(|place| place.post_execute(hook)));
                self
            }

            fn on_result(mut self, hook: impl OnResult) -> Self {
                self.hooks.push(Box::new(|place| place.on_result(hook)));
                self
            }
        }

        impl $place {
            /// Registers the tools and hooks of a toolbox here, which share the instance.
            ///
            /// The registrations come back one by one, the tools' first; disposing all of them takes
            /// the toolbox away.
            ///
            /// # Errors
            ///
            /// Every mistake of every tool; then nothing was registered.
            ///
            /// # Examples
            ///
            /// ```
            /// use tool_core::{ToolRuntime, toolbox};
            ///
            /// struct Weather;
            ///
            /// #[toolbox]
            /// impl Weather {
            ///     /// The forecast for a city.
            ///     #[tool]
            ///     fn forecast(&self, city: String) -> String { city }
            /// }
            ///
            /// let runtime = ToolRuntime::builder().build()?;
            /// let agent = runtime.scope("agent1")?;
            /// let registrations = agent.toolbox(Weather)?;
            /// assert_eq!(agent.schemas().len(), 1);
            /// registrations.iter().for_each(|registration| registration.dispose());
            /// assert_eq!(agent.schemas().len(), 0);
            /// # Ok::<(), tool_core::RegisterError>(())
            /// ```
            pub fn toolbox(
                &self,
                toolbox: impl Toolbox,
            ) -> Result<Vec<Registration>, RegisterError> {
                let pending = Pending {
                    place: self,
                    tools: Vec::new(),
                    hooks: Vec::new(),
                };
                let Pending {
                    place,
                    tools,
                    hooks,
                } = toolbox.install(pending);
                let mut registrations = vec![place.register_all(tools)?];
                registrations.extend(hooks.into_iter().map(|register| register(place)));
                Ok(registrations)
            }
        }
    };
}

installing!(ToolRuntime);
installing!(Scope);
