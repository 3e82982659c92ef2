//! One form for every schema that comes from a Rust type.
//!
//! Runs once, at registration. Whoever reads a schema later, an exporter or a validator, meets:
//!
//! * an object root with `properties`, closed unless the type is open;
//! * no `$schema`, no title made from a hidden struct's name;
//! * no numeric `format` (`uint32`), but the bounds of the integer type, with all digits;
//! * unit enums as `{"type": "string", "enum": [..]}`, variant docs folded into the description;
//! * unions as `anyOf`, each arm of a tagged one complete by itself;
//! * `$defs` at the root only, without unused ones, and no reference to the root itself.

mod assemble;
mod decide;
mod definitions;
mod merge;
mod normalise;
mod numbers;

use schemars::SchemaGenerator;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};

pub(crate) use self::assemble::{End, ParamSchema, Refinement, assemble};
use self::definitions::Document;
use super::kinds::Kinds;
use super::positions;
use super::validate::SchemaError;

/// A canonical schema of arguments.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Canonical {
    pub(crate) schema: Value,
    /// Whether decoding into the Rust types is as strict as the schema, so that no validator
    /// needs to run on a call: every parameter is a scalar, or an array of them, without bounds
    /// other than its type's own.
    ///
    /// Known from the schema before it is canonical only: `maximum: 255` may be a `u8`, or a
    /// `u32` somebody limited.
    pub(crate) types_decide: bool,
}

/// A generator for [`assemble`], [`canonical_object`] and [`canonical_output`].
pub(crate) fn generator(contract: Contract) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.contract = contract;
    });
    settings.into_generator()
}

/// The schema of a tool without parameters.
pub(crate) fn empty_object() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
}

/// Makes the root schema of a type that holds all arguments canonical.
///
/// `root` may be a whole document, or what a generator's `subschema_for` returned, with the
/// generator's definitions under `$defs`. `type_name` is the type's schema name: a title equal to
/// it was made by a macro.
///
/// `()`, unit structs and structs without fields take no arguments. An optional struct is the
/// struct: arguments are always there.
///
/// `types_decide` is false: a derived struct also reads arrays, and passes over unknown fields.
///
/// # Errors
///
/// If the type is not an object in JSON, or combines `flatten` with `deny_unknown_fields`, which
/// serde refuses on every call.
pub(crate) fn canonical_object(root: Value, type_name: &str) -> Result<Canonical, SchemaError> {
    let mut document = Document::new(root, type_name);
    document.prune();
    document.refuse_closed_flatten()?;
    document.make_canonical();
    document.inline_root();
    if let Some(inner) = without_null(&document.root) {
        document.root = inner;
        document.inline_root();
    }
    let root = object_root(std::mem::take(&mut document.root)).ok_or_else(|| SchemaError {
        path: String::new(),
        reason: format!("`{type_name}` is not an object in JSON, which arguments always are"),
    })?;
    document.root = Value::Object(closed(root));
    Ok(Canonical {
        schema: document.finish(),
        types_decide: false,
    })
}

/// Makes the root schema of a result's type canonical. The root may be of any type, and an object
/// stays as open as it is.
pub(crate) fn canonical_output(root: Value, type_name: &str) -> Value {
    let mut document = Document::new(root, type_name);
    document.make_canonical();
    document.inline_root();
    if let Value::Object(root) = &mut document.root
        && root.get("type").is_some_and(|word| word == "object")
    {
        root.entry("properties")
            .or_insert_with(|| Map::new().into());
    }
    document.finish()
}

/// What an `Option` is optional of: arguments are always there, if only as `{}`.
fn without_null(root: &Value) -> Option<Value> {
    let keywords = root.as_object()?;
    let asserts = keywords
        .keys()
        .filter(|keyword| !definitions::is_annotation(keyword));
    let arms = keywords
        .get("anyOf")
        .filter(|_| asserts.count() == 1)?
        .as_array()?;
    let is_null = |arm: &&Value| arm.get("type").is_some_and(|word| word == "null");
    let mut rest = arms.iter().filter(|arm| !is_null(arm));
    match (rest.next(), rest.next()) {
        (Some(only), None) if arms.len() > 1 => Some(only.clone()),
        _ => None,
    }
}

/// The root as an object schema, or `None` if it is something else.
fn object_root(root: Value) -> Option<Map<String, Value>> {
    let Value::Object(mut root) = root else {
        return None;
    };
    let asserts = |keyword: &String| !definitions::is_annotation(keyword);
    if root.get("type").is_some_and(|word| word == "null") {
        root.retain(|keyword, _| definitions::is_annotation(keyword));
    } else if !root.keys().any(asserts) {
        // Any value, as an object.
        root.insert("additionalProperties".to_owned(), Value::Bool(true));
    }
    if let Some(Value::Array(arms)) = root.get_mut("anyOf") {
        // Unit variants are strings, which arguments never are.
        arms.retain(|arm| Kinds::of_schema(&Value::Null, arm).intersects(Kinds::OBJECT));
    }
    let kinds = Kinds::of_schema(&Value::Null, &Value::Object(root.clone()));
    if !kinds.intersects(Kinds::OBJECT) {
        return None;
    }
    root.insert("type".to_owned(), "object".into());
    root.entry("properties")
        .or_insert_with(|| Map::new().into());
    Some(root)
}

/// Closes an object that does not say whether it is open.
fn closed(mut root: Map<String, Value>) -> Map<String, Value> {
    let says = |keyword: &str| root.contains_key(keyword);
    if says("additionalProperties") || says("unevaluatedProperties") {
        return root;
    }
    // Properties of a flattened enum stand in its arms, which `additionalProperties` cannot see.
    let sees_all = !positions::children(&root)
        .iter()
        .any(|child| child.in_place);
    let keyword = if sees_all {
        "additionalProperties"
    } else {
        "unevaluatedProperties"
    };
    root.insert(keyword.to_owned(), Value::Bool(false));
    root
}
