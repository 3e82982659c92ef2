//! What a hook's attribute and its function say together.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::{Path, Type};

use super::{Function, Param, method_handle};
use crate::args::Args;

/// A hook's place in the pipeline, and what differs between the five.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Guard,
    PreExecute,
    AroundExecute,
    PostExecute,
    OnResult,
}

impl Role {
    pub(crate) const ALL: [Self; 5] = [
        Self::Guard,
        Self::PreExecute,
        Self::AroundExecute,
        Self::PostExecute,
        Self::OnResult,
    ];

    /// As it is written: `guard`. The builder's method has the same name.
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::PreExecute => "pre_execute",
            Self::AroundExecute => "around_execute",
            Self::PostExecute => "post_execute",
            Self::OnResult => "on_result",
        }
    }

    /// As it is called in a message.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Guard => "a guard",
            Self::PreExecute => "a pre-execute hook",
            Self::AroundExecute => "an around-execute hook",
            Self::PostExecute => "a post-execute hook",
            Self::OnResult => "an observer",
        }
    }

    /// Whether there is a result to look at.
    pub(crate) fn sees_result(self) -> bool {
        matches!(self, Self::PostExecute | Self::OnResult)
    }
}

/// A hook, as far as the macro understands it.
pub(crate) struct Hook<'a> {
    pub role: Role,
    pub function: Function<'a>,
    pub handle: Ident,
    pub tool: Option<&'a Path>,
    pub root: TokenStream,
    /// The type of a toolbox, for its methods.
    pub of: Option<&'a Type>,
}

/// Where a hook's parameter gets its value.
pub(crate) enum Source<'a> {
    /// A parameter of the tool, read as the hook's type.
    Argument(&'a Ident),
    /// The tool's value.
    Value,
    /// Context, by the type behind the `&`.
    Context(&'a Type),
    /// What is inside a wrapper.
    Next,
    /// Reported: there is nothing to take.
    Nothing,
}

impl<'a> Hook<'a> {
    pub(crate) fn new(
        role: Role,
        function: Function<'a>,
        args: &'a Args,
        root: TokenStream,
    ) -> Self {
        let handle = args.name("handle").unwrap_or(function.ident).clone();
        Self {
            role,
            function,
            handle,
            tool: args.path("tool"),
            root,
            of: None,
        }
    }

    pub(crate) fn in_toolbox(mut self, of: &'a Type, args: &Args) -> Self {
        if args.name("handle").is_none() {
            self.handle = method_handle(of, self.function.ident);
        }
        self.of = Some(of);
        self
    }

    /// Names decide in a typed hook, types in an untyped one.
    pub(crate) fn source<'p>(&self, param: &'p Param) -> Source<'p> {
        let Some(ident) = &param.ident else {
            return Source::Nothing;
        };
        let name = ident.unraw().to_string();
        let context = |ty: &'p Type| Source::Context(ty);
        if self.role == Role::AroundExecute && param.arg.is_none() && name == "next" {
            return Source::Next;
        }
        if self.tool.is_none() {
            return match param.referent() {
                Some(ty) => context(ty),
                None if self.role == Role::AroundExecute => Source::Next,
                None => Source::Nothing,
            };
        }
        if param.arg.is_some() {
            return Source::Argument(ident);
        }
        let reserved = name == "execution" || name == "result" && self.role.sees_result();
        match param.referent() {
            Some(ty) if reserved || param.context.is_some() => context(ty),
            _ if param.context.is_some() => context(&param.ty),
            _ if name == "value" && self.role.sees_result() => Source::Value,
            _ if ["execution", "result", "value"].contains(&name.as_str()) => Source::Nothing,
            _ => Source::Argument(ident),
        }
    }
}
