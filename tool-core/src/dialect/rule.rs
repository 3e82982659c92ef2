//! What a rule can say. The rules themselves are in [`super::rules`].

/// Everything one target accepts.
#[derive(Debug)]
pub(super) struct Rules {
    /// The target's name in messages: `OpenAI strict`.
    pub(super) label: &'static str,
    /// Whether a tool that follows these rules is sent with `strict: true`.
    pub(super) strict: bool,
    /// Whether all tools of a request must be strict, or none.
    pub(super) all_or_none: bool,
    /// Which tool names are accepted.
    pub(super) tool_name: Charset,
    /// Which property names are accepted; `None` means any.
    pub(super) property_name: Option<Charset>,
    /// What may stand at the root of the parameters.
    pub(super) root: Root,
    /// What becomes of each keyword.
    pub(super) keywords: &'static [Rule],
    /// What becomes of a keyword that no rule names.
    pub(super) others: Treat,
    /// Where `others` comes from.
    pub(super) others_source: &'static str,
    /// Counts that must not be exceeded.
    pub(super) limits: &'static [Limit],
}

impl Rules {
    /// What becomes of `keyword`, and where that is documented.
    pub(super) fn treat(&self, keyword: &str) -> (&'static Treat, &'static str)
    where
        Self: 'static,
    {
        static KEEP: Treat = Treat::Keep;
        static DESCRIBE: Treat = Treat::Describe;
        static DROP: Treat = Treat::Drop;
        for rule in self.keywords {
            if rule.keywords.contains(&keyword) {
                return (&rule.treat, rule.source);
            }
        }
        let others = match self.others {
            Treat::Keep => &KEEP,
            Treat::Drop => &DROP,
            _ => &DESCRIBE,
        };
        (others, self.others_source)
    }

    /// Whether keywords without a rule are kept: such a target takes any JSON Schema.
    pub(super) fn takes_any_schema(&self) -> bool {
        matches!(self.others, Treat::Keep)
    }

    /// How `$ref` is written for this target.
    pub(super) fn refs(&self) -> Refs {
        match self.treat("$ref").0 {
            Treat::Ref(refs) => *refs,
            _ => Refs::Free,
        }
    }

    /// Which types the target wants to see.
    pub(super) fn types(&self) -> Types {
        match self.treat("type").0 {
            Treat::Type(types) => *types,
            _ => Types {
                null: Null::List,
                untyped: Untyped::Kept,
            },
        }
    }

    /// What the target says about objects that take properties nobody declared.
    pub(super) fn closing(&self) -> Closing {
        match self.treat("additionalProperties").0 {
            Treat::Closing(closing) => *closing,
            _ => Closing::Free,
        }
    }

    /// Whether every property has to be listed as required.
    pub(super) fn requires_every_property(&self) -> bool {
        matches!(self.treat("required").0, Treat::RequireEvery)
    }

    /// Where definitions live: `$defs`, or `$def` for DeepSeek.
    pub(super) fn definitions(&self) -> &'static str {
        match self.treat("$defs").0 {
            Treat::Definitions(keyword) => keyword,
            _ => "$defs",
        }
    }
}

/// One entry of the table: some keywords, what becomes of them, and who says so.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) keywords: &'static [&'static str],
    pub(super) treat: Treat,
    pub(super) source: &'static str,
}

/// What becomes of a keyword.
#[derive(Debug)]
pub(super) enum Treat {
    /// Sent as it is.
    Keep,
    /// Removed, and said in the description if it says anything to a model.
    Describe,
    /// Removed: it says nothing to a model.
    Drop,
    /// `type`.
    Type(Types),
    /// `$ref`.
    Ref(Refs),
    /// `$defs`, under the keyword the target reads.
    Definitions(&'static str),
    /// `additionalProperties`.
    Closing(Closing),
    /// `required` lists every property; what may be absent may be `null` instead.
    RequireEvery,
    /// `required` lists only declared properties.
    RequireDeclared,
    /// `anyOf` with nothing but annotations beside it.
    Alone,
    /// `oneOf` is written as `anyOf`.
    AsAnyOf,
    /// `allOf` is merged into the schema around it.
    Merge,
    /// `const` is written as an `enum` of one.
    AsEnum,
    /// `enum` of these values; others are described.
    Values(Values),
    /// `items` must be there for every array.
    ItemsPresent,
    /// `prefixItems`.
    Tuple(Tuple),
    /// `format` with one of these names; others are described.
    Formats(&'static [&'static str]),
    /// `pattern`, if the target's engine reads it; others are described.
    Pattern(&'static [&'static str]),
    /// A count up to this; a larger one is lowered to it and described.
    AtMost(u64),
    /// A bound on integers that fits in `i64`; others are described.
    IntegerBound,
}

/// Characters and length of a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Charset {
    /// What else than a letter or `_` may come first.
    pub(super) first: &'static str,
    /// What else than a letter or `_` may follow. `0` stands for all digits.
    pub(super) rest: &'static str,
    /// Longest name, in characters.
    pub(super) longest: usize,
    /// The rule as the provider writes it.
    pub(super) pattern: &'static str,
    /// Where that is written.
    pub(super) source: &'static str,
}

impl Charset {
    /// Whether `c` may stand at this place of a name.
    pub(super) fn allows(&self, first: bool, c: char) -> bool {
        let more = if first { self.first } else { self.rest };
        c.is_ascii_alphabetic()
            || c == '_'
            || more.contains(if c.is_ascii_digit() { '0' } else { c })
    }

    /// Whether the target takes `name`.
    pub(super) fn accepts(&self, name: &str) -> bool {
        !name.is_empty()
            && name.len() <= self.longest
            && name.char_indices().all(|(at, c)| self.allows(at == 0, c))
    }
}

/// What may stand at the root of the parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// An object schema with anything beside it.
    Object,
    /// An object schema, and no `anyOf`, `oneOf`, `allOf`, `enum`, `not` or `$ref` beside it.
    Plain { source: &'static str },
}

/// How nothing and anything are typed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Types {
    pub(super) null: Null,
    pub(super) untyped: Untyped,
}

/// How `null` is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Null {
    /// `"type": ["string", "null"]`, or `{"type": "null"}` in an `anyOf`.
    List,
    /// `"nullable": true`.
    Keyword,
}

/// What becomes of `{}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Untyped {
    /// Sent as `{}`.
    Kept,
    /// The tool cannot be strict.
    NotStrict,
    /// An `anyOf` of the plain types.
    Spelled,
}

/// How `$ref` is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refs {
    /// With anything beside it.
    Free,
    /// Alone; a description goes around it, in an `anyOf` of one.
    Wrapped,
    /// Alone and not recursive; with something beside it, it is inlined.
    Sole,
    /// Nowhere inside an `anyOf`; there it is inlined.
    OutsideAnyOf,
    /// As `Wrapped`, and a cycle only goes through properties that may be absent.
    OptionalCycles,
    /// Never: inlined, and a tool that needs recursion is left out.
    Inlined,
    /// Never: inlined, and a recursive type is cut to its bare type where it comes again.
    Cut,
}

/// What is said about properties nobody declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// Whatever the schema says.
    Free,
    /// Always `false`; a map cannot be strict.
    False,
    /// As `False`, and an object without properties cannot be strict below the root.
    FalseAndFilled,
    /// Nothing; a map is described.
    Unsaid,
}

/// Which values an `enum` may list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Strings,
    StringsAndNumbers,
    Scalars,
}

/// What becomes of a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tuple {
    /// Kept, with an `items` beside it.
    WithItems,
    /// Written as an array of any of its members, with the order in the description.
    AsArray,
    /// As `AsArray`, if all members are alike; other tuples cannot be strict.
    AlikeOrNotStrict,
}

/// A count that must not be exceeded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    pub(super) count: Count,
    pub(super) most: usize,
    pub(super) per: Per,
    pub(super) source: &'static str,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Tools,
    StrictTools,
    OptionalProperties,
    Unions,
    Properties,
    Levels,
    EnumValues,
    Characters,
    /// Characters in the values of one `enum` of more than 250 strings.
    LargeEnumCharacters,
}

impl Count {
    /// The thing counted, in the plural.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::StrictTools => "strict tools",
            Self::OptionalProperties => "optional properties",
            Self::Unions => "properties of a union type",
            Self::Properties => "properties",
            Self::Levels => "levels of nested objects",
            Self::EnumValues => "enum values",
            Self::Characters => "characters in names and enum values",
            Self::LargeEnumCharacters => "characters in one enum of more than 250 values",
        }
    }
}

/// Over what a [`Count`] is summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Per {
    Tool,
    Request,
}
