//! What a tool is known by: tables that the macros fill in, and the schemas made of them.

use schemars::generate::Contract;
use serde_json::{Map, Value};

use crate::body::Decoded;
use crate::context::Need;
use crate::decode::Source;
use crate::definition::{Handle, SchemaSource};
use crate::error::Location;
use crate::output::OutputType;
use crate::param::{ParameterType, Property, Refined, Witness};
use crate::schema::canonical::{self, Canonical};
use crate::schema::validate::SchemaError;

/// What a tool is known by before it is registered: a table, no code.
pub struct Info {
    pub(crate) name: &'static str,
    pub(crate) handle: &'static str,
    pub(crate) description: &'static str,
    pub(crate) location: Location,
    parameters: Parameters,
    pub(crate) needs: &'static [fn() -> Option<Need>],
}

/// The parameters of a tool.
#[derive(Clone, Copy)]
enum Parameters {
    /// One property each.
    Each(&'static [Property]),
    /// One type for all.
    Whole(&'static ParameterType),
}

impl Info {
    /// A tool called `name` whose handle is called `handle`.
    pub const fn new(
        [name, handle, description]: [&'static str; 3],
        location: Location,
        properties: &'static [Property],
        needs: &'static [fn() -> Option<Need>],
    ) -> Self {
        Self {
            name,
            handle,
            description,
            location,
            parameters: Parameters::Each(properties),
            needs,
        }
    }

    /// The same of a tool that takes all its arguments as one type.
    pub const fn whole<T>(
        [name, handle, description]: [&'static str; 3],
        location: Location,
        arguments: &'static Witness<T>,
        needs: &'static [fn() -> Option<Need>],
    ) -> Self {
        Self {
            name,
            handle,
            description,
            location,
            parameters: Parameters::Whole(&arguments.ty),
            needs,
        }
    }

    pub(crate) fn properties(&self) -> &'static [Property] {
        match self.parameters {
            Parameters::Each(properties) => properties,
            Parameters::Whole(_) => &[],
        }
    }

    /// What `#[arg]` says of each property; nothing if it says nothing of any. Evaluates the defaults.
    pub(crate) fn refined(&self) -> Vec<Option<Refined>> {
        let properties = self.properties();
        match properties.iter().any(Property::is_refined) {
            true => properties.iter().map(Property::refinement).collect(),
            false => Vec::new(),
        }
    }

    /// The schema of the arguments, as it is sent and enforced.
    pub(crate) fn schema(&self, refined: Vec<Option<Refined>>) -> Result<Canonical, SchemaError> {
        let mut generator = canonical::generator(Contract::Deserialize);
        match self.parameters {
            Parameters::Each(properties) => {
                let mut schemas = Vec::with_capacity(properties.len());
                let mut refined = refined.into_iter();
                for property in properties {
                    schemas.push(
                        property
                            .schema(refined.next().flatten(), &mut generator)
                            .map_err(|error| SchemaError {
                                path: String::new(),
                                reason: format!(
                                    "the default or an example of `{}`: {error}",
                                    property.name
                                ),
                            })?,
                    );
                }
                canonical::assemble(&schemas, generator.take_definitions(true))
            }
            Parameters::Whole(ty) => {
                let root = (ty.schema)(&mut generator).to_value();
                let root = with_definitions(root, generator.take_definitions(true));
                canonical::canonical_object(root, &(ty.name)())
            }
        }
    }
}

fn with_definitions(mut root: Value, definitions: Map<String, Value>) -> Value {
    if let (Value::Object(keywords), false) = (&mut root, definitions.is_empty()) {
        keywords.insert("$defs".to_owned(), Value::Object(definitions));
    }
    root
}

/// A tool behind plain data, so that what deals with it is compiled once.
pub struct Typed {
    pub(crate) info: &'static Info,
    pub(crate) output: OutputType,
    pub(crate) decode: fn(&mut Source<'_>) -> Decoded,
    pub(crate) handle: Handle,
}

impl Typed {
    /// Where the schemas of arguments and output come from.
    pub(crate) fn schemas(&'static self) -> (SchemaSource, SchemaSource) {
        (
            SchemaSource::Parameters(self.info),
            SchemaSource::Output(self.output),
        )
    }
}

impl OutputType {
    /// The schema of the value.
    pub(crate) fn canonical(self) -> Canonical {
        let mut generator = canonical::generator(Contract::Serialize);
        let root = (self.schema)(&mut generator).to_value();
        let root = with_definitions(root, generator.take_definitions(true));
        let schema = canonical::canonical_output(root, &(self.name)());
        let types_decide = crate::schema::holds_by_type(&schema);
        Canonical {
            schema,
            types_decide,
        }
    }
}
