//! The runtime of one scenario: what is registered, disposed and refused in it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tool_code_mode::QuickJs;
use tool_core::{
    Presentation, RegisterError, Registration, Repair, Restriction, Scope, ToolExecution,
    ToolResult, ToolRuntime,
};

use super::bodies;
use super::expect::{Refusal, RefusalKind};
use super::hooks::{Answerer, Played};
use super::marks::Marks;
use super::policy::{GuardKind, Hook};
use super::scenario::{
    Approval, Mode, PresentationEntry, Registration as Entry, RestrictionEntry, Scenario,
    ScopeEntry,
};
use super::throws::Pass;
use super::tool::{Step, ToolEntry};

/// About as long as a body takes that does something.
const PAUSE: Duration = Duration::from_millis(5);

/// One scenario being played: its registry and what its callbacks share.
pub(super) struct World {
    /// How a `throw` is played.
    pub(super) pass: Pass,
    /// What callbacks notice.
    pub(super) marks: Marks,
    latches: Mutex<HashMap<String, watch::Sender<bool>>>,
    /// `None` before the setup and after the end: callbacks hold the world, and the registry them.
    registry: Mutex<Option<Registry>>,
}

struct Registry {
    runtime: ToolRuntime,
    scopes: HashMap<String, Scope>,
    registrations: HashMap<String, Registration>,
    refusals: Vec<Refusal>,
}

/// Where a registration goes.
enum Place {
    Runtime(ToolRuntime),
    Scope(Scope),
}

/// The same method, on the runtime or a scope.
macro_rules! at {
    ($place:expr, $method:ident($argument:expr)) => {
        match $place {
            Place::Runtime(runtime) => runtime.$method($argument),
            Place::Scope(scope) => scope.$method($argument),
        }
    };
}

/// Why there is no world to play a scenario in.
pub(super) enum Unopened {
    /// The runtime refuses its configuration.
    Configuration,
    /// The scenario makes no sense.
    Unplayable(String),
}

impl From<RegisterError> for Unopened {
    fn from(error: RegisterError) -> Self {
        match error {
            RegisterError::InvalidConfiguration { .. } => Self::Configuration,
            other => Self::Unplayable(other.to_string()),
        }
    }
}

type Registered = Result<Registration, Refused>;

struct Refused {
    kind: RefusalKind,
    names: Option<Vec<String>>,
}

impl From<RefusalKind> for Refused {
    fn from(kind: RefusalKind) -> Self {
        Self { kind, names: None }
    }
}

impl World {
    /// The runtime of `scenario` with its scopes, and nothing registered yet.
    ///
    /// # Errors
    ///
    /// If there can be no such runtime, or no such scopes.
    pub(super) fn open(scenario: &Scenario, pass: Pass) -> Result<Arc<Self>, Unopened> {
        let world = Arc::new(Self {
            pass,
            marks: Marks::default(),
            latches: Mutex::default(),
            registry: Mutex::default(),
        });
        let marks = world.marks.clone();
        let mut builder = ToolRuntime::builder()
            .presentation(presentation(scenario.mode))
            // Recorded without repair: arguments that do not fit are refused.
            .repair(Repair::Off)
            .on_result(move |execution: &ToolExecution, result: &ToolResult| {
                marks.tell(execution, result);
                marks.write(execution.call_id(), "result");
            });
        if scenario.code_runtime {
            builder = builder.code_runtime(QuickJs::new());
        }
        if let Some(limit) = &scenario.max_parallel_sub_calls {
            // No limit of this type: the builder refuses it as it refuses zero.
            let limit = limit.as_u64().and_then(|limit| usize::try_from(limit).ok());
            builder = builder.max_parallel_sub_calls(limit.unwrap_or_default());
        }
        if let Some(Approval { outcome }) = scenario.approval {
            builder = builder.approver(Answerer {
                world: world.clone(),
                outcome,
            });
        }
        let runtime = builder.build()?;
        let mut scopes: HashMap<String, Scope> = HashMap::new();
        for ScopeEntry { id, parent } in &scenario.scopes {
            let scope = match parent {
                Some(parent) => scopes
                    .get(parent)
                    .ok_or_else(|| Unopened::Unplayable(format!("no parent scope `{parent}`")))?
                    .child(id)?,
                None => runtime.scope(id)?,
            };
            scopes.insert(id.clone(), scope);
        }
        *world.lock() = Some(Registry {
            runtime,
            scopes,
            registrations: HashMap::new(),
            refusals: Vec::new(),
        });
        Ok(world)
    }

    /// Lets go of the registry, so that world and callbacks are freed. Returns what was refused.
    pub(super) fn close(&self) -> Vec<Refusal> {
        let registry = self.lock().take();
        registry
            .map(|registry| registry.refusals)
            .unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Registry>> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, act: impl FnOnce(&mut Registry) -> T) -> T {
        act(self
            .lock()
            .as_mut()
            .expect("the registry is open while the scenario is played"))
    }

    /// The runtime.
    pub(super) fn runtime(&self) -> ToolRuntime {
        self.with(|registry| registry.runtime.clone())
    }

    /// A scope of the scenario.
    ///
    /// # Errors
    ///
    /// If the scenario has no such scope.
    pub(super) fn scope(&self, id: &str) -> Result<Scope, String> {
        let scope = self.with(|registry| registry.scopes.get(id).cloned());
        scope.ok_or_else(|| format!("the scenario has no scope `{id}`"))
    }

    /// Ends a registration. One that was refused left nothing to end.
    pub(super) fn dispose(&self, label: &str) {
        let registration = self.with(|registry| registry.registrations.get(label).cloned());
        if let Some(registration) = registration {
            registration.dispose();
        }
    }

    /// Registers, or notes the refusal.
    pub(super) fn register(self: &Arc<Self>, entry: &Entry) {
        let (label, registered) = match entry {
            Entry::Tool(tool) => (tool.label(), self.tool(tool)),
            Entry::PresentAs(entry) => (entry.label.clone(), self.present_as(entry)),
            Entry::Restriction(entry) => (entry.label.clone(), self.restrict(entry)),
            Entry::Guard(hook) => (hook.label.clone(), self.guard(hook)),
            Entry::PreExecute(hook) => (
                hook.label.clone(),
                self.place(hook.scope.as_ref())
                    .map(|place| at!(place, pre_execute(Played::new(self, hook)))),
            ),
            Entry::Around(hook) => (
                hook.label.clone(),
                self.place(hook.scope.as_ref())
                    .map(|place| at!(place, around_execute(Played::new(self, hook)))),
            ),
            Entry::PostExecute(hook) => (
                hook.label.clone(),
                self.place(hook.scope.as_ref())
                    .map(|place| at!(place, post_execute(Played::new(self, hook)))),
            ),
            Entry::ResultObserver(hook) => (
                hook.label.clone(),
                self.place(hook.scope.as_ref())
                    .map(|place| at!(place, on_result(Played::new(self, hook)))),
            ),
        };
        match registered {
            Ok(registration) => {
                self.with(|registry| registry.registrations.insert(label, registration));
            }
            Err(Refused { kind, names }) => {
                let refusal = Refusal {
                    label,
                    error_kind: kind,
                    names,
                };
                self.with(|registry| registry.refusals.push(refusal));
            }
        }
    }

    fn place(&self, scope: Option<&String>) -> Result<Place, Refused> {
        let Some(id) = scope else {
            return Ok(Place::Runtime(self.runtime()));
        };
        self.scope(id)
            .map(Place::Scope)
            .map_err(|error| RefusalKind::Unforeseen(error).into())
    }

    fn tool(self: &Arc<Self>, tool: &ToolEntry) -> Registered {
        if tool.timeout_ms.is_some_and(|limit| limit < 0.0) {
            // A `Duration` cannot be negative.
            return Err(RefusalKind::InvalidTimeout.into());
        }
        let place = self.place(tool.scope.as_ref())?;
        at!(place, register(bodies::definition(self, tool))).map_err(refused)
    }

    fn guard(self: &Arc<Self>, hook: &Hook<GuardKind>) -> Registered {
        if let GuardKind::Abstain {} = hook.kind {
            self.marks.noticed().abstaining.insert(hook.label.clone());
        }
        let place = self.place(hook.scope.as_ref())?;
        Ok(at!(place, guard(Played::new(self, hook))))
    }

    fn present_as(&self, entry: &PresentationEntry) -> Registered {
        match self.place(entry.scope.as_ref())? {
            Place::Scope(scope) => scope.present_as(presentation(entry.mode)).map_err(refused),
            // Only scopes have `present_as`.
            Place::Runtime(_) => Err(RefusalKind::UnscopedPresentation.into()),
        }
    }

    fn restrict(&self, entry: &RestrictionEntry) -> Registered {
        let Place::Scope(scope) = self.place(entry.scope.as_ref())? else {
            // Only scopes have `restrict`.
            return Err(RefusalKind::UnscopedRestriction.into());
        };
        let restriction = match (&entry.allow, &entry.deny) {
            (Some(allow), Some(deny)) => Restriction::allow(allow).and_deny(deny),
            (Some(allow), None) => Restriction::allow(allow),
            (None, Some(deny)) => Restriction::deny(deny),
            (None, None) => Restriction::default(),
        };
        scope.restrict(restriction).map_err(refused)
    }

    /// Does what bodies and hooks both may do. `false`: only a body may do this step.
    pub(super) async fn perform(self: &Arc<Self>, step: &Step) -> bool {
        match step {
            Step::SetLatch { latch } => {
                self.latch(latch, |sender| sender.send_replace(true));
            }
            Step::WaitLatch { latch } => {
                let mut set = self.latch(latch, watch::Sender::subscribe);
                set.wait_for(|set| *set)
                    .await
                    .expect("the world keeps its latches");
            }
            Step::Pause {} => tokio::time::sleep(PAUSE).await,
            Step::Dispose { label } => self.dispose(label),
            Step::Register(entry) => self.register(entry),
            Step::DeferContext { .. }
            | Step::ConcludeTurn {}
            | Step::WaitForCancel {}
            | Step::CallTool(_) => return false,
        }
        true
    }

    fn latch<T>(&self, name: &str, act: impl FnOnce(&watch::Sender<bool>) -> T) -> T {
        let mut latches = self.latches.lock().unwrap_or_else(PoisonError::into_inner);
        act(latches.entry(name.to_owned()).or_default())
    }
}

fn presentation(mode: Mode) -> Presentation {
    match mode {
        Mode::Native => Presentation::Native,
        Mode::Code => Presentation::Code,
        Mode::Both => Presentation::Both,
    }
}

/// The scenarios' word for a refusal.
fn refused(error: RegisterError) -> Refused {
    let kind = match error {
        RegisterError::DuplicateTool { .. } => RefusalKind::DuplicateTool,
        RegisterError::ReservedToolName { .. } => RefusalKind::ReservedToolName,
        RegisterError::InvalidOutputSchema { .. } => RefusalKind::UnsupportedOutputSchema,
        RegisterError::InvalidParameters { .. } => RefusalKind::UnsupportedParameters,
        RegisterError::MissingOutput { .. } => RefusalKind::MissingOutput,
        RegisterError::InvalidTimeout { .. } => RefusalKind::InvalidTimeout,
        RegisterError::EmptyRestriction => RefusalKind::EmptyRestriction,
        RegisterError::ReservedRestrictionTarget { .. } => RefusalKind::ReservedRestrictionTarget,
        RegisterError::DuplicatePresentation { .. } => RefusalKind::DuplicatePresentation,
        RegisterError::InvalidConfiguration { .. } => RefusalKind::InvalidConfiguration,
        RegisterError::UnknownRestrictionTarget { names, .. } => {
            return Refused {
                kind: RefusalKind::UnknownRestrictionTarget,
                names: Some(names),
            };
        }
        other => RefusalKind::Unforeseen(other.to_string()),
    };
    kind.into()
}
