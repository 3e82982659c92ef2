//! Preparing definitions for calls, which takes its time: schemas are made, looked through and
//! compiled. So it is done once for what is the same: a session that registers a tool in its scope
//! shares what the first session made.

use std::any::TypeId;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::contain::Sheltered;
use crate::context::States;
use crate::definition::{
    CheckValue, Definition, Prepared, RUN_CODE, SchemaSource, ToolDefinition, ToolSchema,
};
use crate::error::RegisterError;
use crate::param::Refined;
use crate::registry::ByType;
use crate::schema::{self, Compiled, SchemaError};

/// Which definitions are the same as this one, so that one is prepared for all.
#[derive(Clone)]
pub(crate) enum Twins {
    /// All that are made of this handle and not changed since.
    OfHandle(TypeId),
    /// Its clones.
    Clones(Arc<OnceLock<Known>>),
    /// It is prepared already.
    Nobody,
}

impl Default for Twins {
    fn default() -> Self {
        Self::Clones(Arc::default())
    }
}

/// What came of a definition. Defaults and examples are evaluated at each registration: it holds for
/// those that evaluate to the same.
pub(crate) struct Known<T = Arc<Prepared>> {
    evaluated: Vec<(Option<Value>, Vec<Value>)>,
    made: T,
}

impl<T: Clone> Known<T> {
    fn for_same(&self, refined: &[Option<Refined>]) -> Option<T> {
        let same = evaluated(refined).eq(self
            .evaluated
            .iter()
            .map(|(default, examples)| Some((default.as_ref(), &**examples))));
        same.then(|| self.made.clone())
    }
}

type Evaluated<'a> = (Option<&'a Value>, &'a [Value]);

/// Of each that says something; `None` if it cannot be shown.
fn evaluated(refined: &[Option<Refined>]) -> impl Iterator<Item = Option<Evaluated<'_>>> {
    refined.iter().flatten().map(Refined::evaluated)
}

/// The same, to keep; nothing if something cannot be shown, which preparing it will say.
fn kept(refined: &[Option<Refined>]) -> Option<Vec<(Option<Value>, Vec<Value>)>> {
    evaluated(refined)
        .map(|it| it.map(|(default, examples)| (default.cloned(), examples.to_vec())))
        .collect()
}

/// What follows from the schemas of a definition, whatever else it says.
#[derive(Clone)]
struct Checks {
    parameters: Compiled,
    types_decide: bool,
    check_value: CheckValue,
    output: Compiled,
}

/// What a runtime has prepared of typed tools, by their handles.
#[derive(Default)]
pub(crate) struct Workshop {
    checks: Mutex<ByType<Known<Checks>>>,
    handles: Mutex<ByType<Known>>,
}

impl Workshop {
    /// Checks a definition and prepares it for calls.
    pub(crate) fn prepare(
        &self,
        definition: ToolDefinition,
        states: &States,
    ) -> Result<Arc<Definition>, RegisterError> {
        if definition.name == RUN_CODE {
            return Err(RegisterError::ReservedToolName {
                tool: RUN_CODE.to_owned(),
                location: definition.location,
            });
        }
        self.reserved(definition, states)
    }

    /// The same for a name that nobody else may take.
    pub(crate) fn reserved(
        &self,
        definition: ToolDefinition,
        states: &States,
    ) -> Result<Arc<Definition>, RegisterError> {
        check_settings(&definition, states)?;
        let twins = definition.twins.clone();
        let refined = definition.parameters.refined();
        if let Some(prepared) = self.known(&twins, &refined) {
            return Ok(Definition::new(prepared));
        }
        let kept = kept(&refined);
        let made = Arc::new(self.make(definition, refined)?);
        if let Some(evaluated) = kept {
            let known = Known {
                evaluated,
                made: made.clone(),
            };
            match twins {
                Twins::OfHandle(handle) => {
                    lock(&self.handles).entry(handle).or_insert(known);
                }
                // Another thread was faster, with the same.
                Twins::Clones(clones) => drop(clones.set(known)),
                Twins::Nobody => {}
            }
        }
        Ok(Definition::new(made))
    }

    fn known(&self, twins: &Twins, refined: &[Option<Refined>]) -> Option<Arc<Prepared>> {
        match twins {
            Twins::OfHandle(handle) => lock(&self.handles).get(handle)?.for_same(refined),
            Twins::Clones(clones) => clones.get()?.for_same(refined),
            Twins::Nobody => None,
        }
    }

    fn make(
        &self,
        mut settings: ToolDefinition,
        refined: Vec<Option<Refined>>,
    ) -> Result<Prepared, RegisterError> {
        let Checks {
            parameters,
            types_decide,
            check_value,
            output,
        } = self.checks(&settings, refined)?;
        settings.twins = Twins::Nobody;
        Ok(Prepared {
            schema: Arc::new(ToolSchema {
                name: settings.name.to_string(),
                description: settings.description.to_string(),
                parameters: parameters.schema().clone(),
            }),
            types_decide,
            has_numbers: schema::may_hold_floats(parameters.schema()),
            compiled_parameters: parameters,
            check_value,
            compiled_output: output,
            settings: Sheltered::new(settings),
        })
    }

    /// A typed tool has the schemas of its handle, also under another name or in a toolbox.
    fn checks(
        &self,
        settings: &ToolDefinition,
        refined: Vec<Option<Refined>>,
    ) -> Result<Checks, RegisterError> {
        let typed = matches!(settings.parameters, SchemaSource::Parameters(_));
        let Some(handle) = settings.handle.filter(|_| typed) else {
            return Checks::new(settings, refined);
        };
        let known = |known: &Known<Checks>| known.for_same(&refined);
        if let Some(checks) = lock(&self.checks).get(&handle.id).and_then(known) {
            return Ok(checks);
        }
        let kept = kept(&refined);
        // Not under the lock: types are a user's code.
        let made = Checks::new(settings, refined)?;
        if let Some(evaluated) = kept {
            lock(&self.checks)
                .entry(handle.id)
                .or_insert_with(|| Known {
                    evaluated,
                    made: made.clone(),
                });
        }
        Ok(made)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check_settings(definition: &ToolDefinition, states: &States) -> Result<(), RegisterError> {
    let location = definition.location;
    let tool = || definition.name.to_string();
    if definition.name.is_empty() {
        return Err(RegisterError::EmptyToolName { location });
    }
    if let Some(timeout) = definition.timeout.filter(Duration::is_zero) {
        return Err(RegisterError::InvalidTimeout {
            tool: tool(),
            timeout,
            location,
        });
    }
    if definition.max_content_bytes == Some(0) {
        return Err(RegisterError::InvalidContentLimit {
            tool: tool(),
            location,
        });
    }
    match definition.needs.iter().find(|need| !states.has(need.id)) {
        None => Ok(()),
        Some(need) => Err(RegisterError::MissingState {
            tool: tool(),
            state: need.name,
            location,
        }),
    }
}

impl Checks {
    fn new(
        settings: &ToolDefinition,
        refined: Vec<Option<Refined>>,
    ) -> Result<Self, RegisterError> {
        let location = settings.location;
        let tool = || settings.name.to_string();
        let invalid_parameters = |error: SchemaError| RegisterError::InvalidParameters {
            tool: tool(),
            reason: error.to_string(),
            location,
        };
        let invalid_output = |error: SchemaError| RegisterError::InvalidOutputSchema {
            tool: tool(),
            reason: error.to_string(),
            location,
        };
        let parameters = settings.parameters.schema(refined);
        let parameters = parameters.map_err(invalid_parameters)?;
        let (parameters, types_decide) =
            parameters.unwrap_or_else(|| (Arc::new(schema::empty_object()), false));
        let output = settings.output.schema(Vec::new());
        let output = output.map_err(invalid_output)?;
        let Some((output, types_decide_output)) = output else {
            return Err(RegisterError::MissingOutput {
                tool: tool(),
                location,
            });
        };
        let check_value = match types_decide_output {
            false => CheckValue::Schema,
            true if schema::may_hold_floats(&output) => CheckValue::Finite,
            true => CheckValue::Types,
        };
        Ok(Self {
            parameters: Compiled::parameters(parameters).map_err(invalid_parameters)?,
            types_decide,
            check_value,
            output: Compiled::new(output).map_err(invalid_output)?,
        })
    }
}
