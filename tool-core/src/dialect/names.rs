//! Names a target accepts, and the way back.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::restore::Restore;
use super::rule::Charset;
use super::schema::{Object, for_each_child};

/// Which tool and which properties a name sent to a model stands for.
///
/// The map is injective: no two tools of one export, and no two properties of one tool, share a
/// name. It depends on the set of names and not on their order, so that a prompt cache survives
/// another order of registration.
///
/// ```
/// # use std::sync::Arc;
/// # use serde_json::json;
/// # use tool_core::dialect::{Dialect, Exportable, export};
/// let parameters = Arc::new(json!({
///     "type": "object",
///     "properties": { "filter[id]": { "type": "string" } },
/// }));
/// let tool = Exportable::new("files.read", "Reads a file.", &parameters);
/// let export = export([tool], Dialect::Anthropic { strict: false });
///
/// let sent = export.tools[0]["name"].as_str().unwrap();
/// assert_eq!(export.names.original_tool(sent), Some("files.read"));
///
/// let key = export.names.exported_property("files.read", "filter[id]").to_owned();
/// let arguments = export.names.restore_arguments("files.read", json!({ key: "7" }));
/// assert_eq!(arguments, json!({ "filter[id]": "7" }));
/// ```
#[derive(Debug, Clone, Default)]
pub struct NameMap {
    exported: HashMap<String, Arc<str>>,
    original: HashMap<Arc<str>, String>,
    restore: HashMap<String, Restore>,
}

impl NameMap {
    /// The tool's own name, given the name a model used.
    #[must_use]
    pub fn original_tool(&self, exported: &str) -> Option<&str> {
        self.original.get(exported).map(String::as_str)
    }

    /// The name a model is given for a tool.
    #[must_use]
    pub fn exported_tool(&self, original: &str) -> Option<&str> {
        self.exported.get(original).map(|name| &**name)
    }

    /// The name a model is given for a property of a tool; its own name where nothing changed.
    ///
    /// `tool` is the tool's own name or the exported one.
    #[must_use]
    pub fn exported_property<'a>(&'a self, tool: &str, property: &'a str) -> &'a str {
        self.restore_of(tool)
            .and_then(|restore| restore.exported(property))
            .unwrap_or(property)
    }

    /// Undoes in a call's arguments what the export did to the tool's properties: names get back
    /// their spelling, and a `null` that a strict target demands in place of an absent property
    /// is removed where the tool's own schema does not accept `null`.
    ///
    /// `tool` is the tool's own name or the exported one. Arguments that do not have the
    /// schema's shape pass through unchanged; validation says what is wrong with them.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use serde_json::json;
    /// # use tool_core::dialect::{Dialect, Exportable, export};
    /// let parameters = Arc::new(json!({
    ///     "type": "object",
    ///     "properties": { "q": { "type": "string" }, "limit": { "type": "integer" } },
    ///     "required": ["q"],
    /// }));
    /// let tool = Exportable::new("find", "Finds.", &parameters);
    /// let export = export([tool], Dialect::OpenAi { strict: true });
    /// let arguments = export.names.restore_arguments("find", json!({ "q": "x", "limit": null }));
    /// assert_eq!(arguments, json!({ "q": "x" }));
    /// ```
    #[must_use]
    pub fn restore_arguments(&self, tool: &str, arguments: Value) -> Value {
        match self.restore_of(tool) {
            Some(restore) => restore.apply(arguments),
            None => arguments,
        }
    }

    fn restore_of(&self, tool: &str) -> Option<&Restore> {
        // No exported name is another tool's own name, so that the order does not matter.
        self.restore
            .get(tool)
            .or_else(|| self.restore.get(self.original_tool(tool)?))
    }

    pub(super) fn insert_tool(&mut self, original: &str, exported: String) {
        let exported: Arc<str> = exported.into();
        self.exported
            .insert(original.to_owned(), Arc::clone(&exported));
        self.original.insert(exported, original.to_owned());
    }

    pub(super) fn insert_restore(&mut self, tool: &str, restore: Restore) {
        self.restore.insert(tool.to_owned(), restore);
    }
}

/// How many hexadecimal digits of the digest are added, one after the other until names differ.
const DIGITS: [usize; 4] = [8, 16, 32, 48];

/// Gives each name one that `charset` accepts: its own where that will do, else the accepted
/// part of it and a digest of the whole.
pub(super) fn assign<'a>(
    names: impl IntoIterator<Item = &'a str>,
    charset: Charset,
) -> BTreeMap<&'a str, String> {
    let mut taken = BTreeSet::new();
    let mut assigned = BTreeMap::new();
    let mut mangled = BTreeMap::new();
    for name in names {
        if charset.accepts(name) {
            taken.insert(name.to_owned());
            assigned.insert(name, name.to_owned());
        } else {
            mangled.insert(name, 0);
        }
    }
    // Raise the digits of every name in a conflict, not only of the later one: else the result
    // would depend on the order.
    loop {
        let mut users: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (name, level) in &mangled {
            users
                .entry(mangle(name, charset, DIGITS[*level]))
                .or_default()
                .push(name);
        }
        let in_conflict: Vec<&str> = users
            .iter()
            .filter(|(exported, names)| names.len() > 1 || taken.contains(*exported))
            .flat_map(|(_, names)| names)
            .copied()
            .filter(|name| mangled[name] + 1 < DIGITS.len())
            .collect();
        if in_conflict.is_empty() {
            break;
        }
        for name in in_conflict {
            *mangled.entry(name).or_default() += 1;
        }
    }
    assigned.extend(
        mangled
            .iter()
            .map(|(name, level)| (*name, mangle(name, charset, DIGITS[*level]))),
    );
    assigned
}

/// `größe` becomes `gr__e_` and the first `digits` digits of its SHA-256.
fn mangle(name: &str, charset: Charset, digits: usize) -> String {
    let room = charset.longest - digits - 1;
    let mut mangled = String::with_capacity(charset.longest);
    for c in name.chars() {
        if mangled.len() == room {
            break;
        }
        // A name may not start with a digit, but still carry it: `1st` becomes `_1st`.
        if mangled.is_empty() && !charset.allows(true, c) && charset.allows(false, c) {
            mangled.push('_');
        }
        mangled.push(if charset.allows(false, c) { c } else { '_' });
    }
    mangled.truncate(room);
    if mangled.is_empty() {
        mangled.push('_');
    }
    mangled.push('_');
    let digest = Sha256::digest(name.as_bytes());
    for byte in digest.iter().take(digits / 2) {
        // Writing to a String does not fail.
        let _ = write!(mangled, "{byte:02x}");
    }
    mangled
}

/// Property names of one tool that the target does not accept, and what they become.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    renamed: BTreeMap<String, String>,
}

impl Keys {
    /// Looks at every property of `root`, also those in definitions.
    pub(super) fn new(root: &Value, charset: Option<Charset>) -> Self {
        let Some(charset) = charset else {
            return Self::default();
        };
        let mut names = BTreeSet::new();
        collect(root, &mut names);
        if names.iter().all(|name| charset.accepts(name)) {
            return Self::default();
        }
        let mut renamed = BTreeMap::new();
        for (name, exported) in assign(names, charset) {
            if name != exported {
                renamed.insert(name.to_owned(), exported);
            }
        }
        Self { renamed }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.renamed.is_empty()
    }

    /// The name that goes out for `property`.
    pub(super) fn exported<'a>(&'a self, property: &'a str) -> &'a str {
        self.renamed.get(property).map_or(property, String::as_str)
    }

    /// Own names and exported ones.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.renamed
            .iter()
            .map(|(own, exported)| (own.as_str(), exported.as_str()))
    }
}

fn collect<'s>(schema: &'s Value, names: &mut BTreeSet<&'s str>) {
    let Value::Object(map) = schema else { return };
    if let Some(Value::Object(properties)) = map.get("properties") {
        names.extend(properties.keys().map(String::as_str));
    }
    let mut below = |map: &'s Object| for_each_child(map, |_, child| collect(child, names));
    below(map);
    for definitions in ["$defs", "definitions"] {
        if let Some(Value::Object(definitions)) = map.get(definitions) {
            for definition in definitions.values() {
                collect(definition, names);
            }
        }
    }
}
