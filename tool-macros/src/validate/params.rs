//! The rules about parameters.

use quote::{ToTokens, quote};
use syn::{Expr, Lit, RangeLimits, Type};

use crate::args::{Args, peel};
use crate::diagnostics::Diagnostics;
use crate::item;
use crate::model::{Hook, Param, Source, Tool};

/// One parameter by itself: a plain name, and attributes that have an effect.
pub(super) fn parameter(param: &Param, diagnostics: &mut Diagnostics) {
    let by_ref = param.referent().is_some();
    let is_context = by_ref || param.context.is_some();
    if param.ident.is_none() && !is_context {
        diagnostics.help(
            &param.pat,
            "a tool parameter must be a plain name: it becomes a JSON property",
            "name it, and take it apart in the body",
        );
        diagnostics.mark_broken();
    }
    if let Type::Reference(reference) = item::peel(&param.ty)
        && let Some(mutability) = &reference.mutability
    {
        diagnostics.help(
            mutability,
            "context is taken by `&`: calls may overlap",
            "remove `mut`; put changing state behind a lock",
        );
        diagnostics.mark_broken();
    }
    for attr in [
        param.arg.as_ref().map(|(attr, _)| attr),
        param.whole.as_ref(),
    ]
    .into_iter()
    .flatten()
    {
        if is_context {
            diagnostics.help(
                attr,
                "the context is not part of the schema",
                "remove the attribute",
            );
        }
    }
    if let Some((_, args)) = &param.arg {
        bounds("range", args, diagnostics);
        bounds("length", args, diagnostics);
        examples(args, diagnostics);
    }
}

/// `range = 5`, `length = ..`, `range = 5..5`.
fn bounds(key: &str, args: &Args, diagnostics: &mut Diagnostics) {
    let Some(value) = args.value(key) else { return };
    let help = format!("`{key} = 1..=100`");
    let Expr::Range(range) = peel(value) else {
        return diagnostics.help(value, format_args!("`{key}` must be a range"), help);
    };
    if range.start.is_none() && range.end.is_none() {
        return diagnostics.help(value, format_args!("`{key}` has no bounds"), help);
    }
    // A length without a lower bound begins at zero.
    let least = if key == "length" { Some(0) } else { None };
    let start = range.start.as_deref().map_or(least, integer);
    let end = range.end.as_deref().and_then(integer);
    if let (Some(start), Some(end)) = (start, end) {
        let is_empty = match range.limits {
            RangeLimits::HalfOpen(_) => start >= end,
            RangeLimits::Closed(_) => start > end,
        };
        if is_empty {
            let message = format!("`{key}` is empty: nothing is within it");
            diagnostics.help(value, message, help);
        }
    }
}

/// The value of a literal such as `5` or `-5`.
fn integer(expression: &Expr) -> Option<i128> {
    match peel(expression) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
            integer(&unary.expr).map(|number| -number)
        }
        _ => None,
    }
}

fn examples(args: &Args, diagnostics: &mut Diagnostics) {
    let Some(value) = args.value("examples") else {
        return;
    };
    if !matches!(peel(value), Expr::Array(array) if !array.elems.is_empty()) {
        diagnostics.help(
            value,
            "`examples` must be a list",
            "`examples = [\"a\", \"b\"]`",
        );
    }
}

/// `r#type: u8` beside `#[arg(name = "type")] kind: u8`; both are named, as neither is at fault.
pub(super) fn one_property_each(params: &[Param], diagnostics: &mut Diagnostics) {
    // A `#[cfg]` may leave only one of them.
    let owned: Vec<&Param> = params
        .iter()
        .filter(|param| is_argument(param) && param.cfgs.is_empty())
        .collect();
    for param in &owned {
        let property = param.property();
        if owned
            .iter()
            .filter(|other| other.property() == property)
            .count()
            < 2
        {
            continue;
        }
        let message = format!("two parameters are named `{property}`");
        match param.arg.as_ref().and_then(|(_, args)| args.text("name")) {
            Some(name) => diagnostics.help(name, message, "give one of them another name"),
            None => diagnostics.help(&param.ident, message, "give one of them another name"),
        }
    }
}

/// Whether the model gives it.
pub(crate) fn is_argument(param: &Param) -> bool {
    param.ident.is_some() && param.referent().is_none() && param.context.is_none()
}

/// `#[args] all: Query` beside `limit: u32`.
pub(super) fn args_alone(tool: &Tool, diagnostics: &mut Diagnostics) {
    let owned: Vec<&Param> = tool
        .function
        .params
        .iter()
        .filter(|param| is_argument(param))
        .collect();
    let Some(whole) = owned.iter().find(|param| param.whole.is_some()) else {
        return;
    };
    if owned.len() > 1 {
        let attr = &whole.whole;
        let ident = &whole.ident;
        diagnostics.help(
            quote!(#attr #ident),
            "`#[args]` takes all arguments: it must be the only one",
            "move the others into its type, or remove `#[args]`",
        );
        diagnostics.mark_broken();
    }
    if let Some((attr, _)) = &whole.arg {
        diagnostics.help(
            attr,
            "`#[arg]` has no effect beside `#[args]`",
            "refine the type's fields",
        );
    }
    if let Some(key) = tool.args.key("args") {
        diagnostics.help(
            key,
            "`args` has no effect beside `#[args]`",
            "the type has a name already",
        );
    }
}

/// The name of a type that no model can give, where a hook takes it by reference. `#[arg]` stands
/// against it for a type of the user's that has the same name.
fn spelled_context(ty: &Type) -> Option<String> {
    let Type::Reference(reference) = item::peel(ty) else {
        return None;
    };
    let Type::Path(path) = item::peel(&reference.elem) else {
        return None;
    };
    let last = path.path.segments.last()?;
    let is_generic = !last.arguments.is_empty();
    let name = last.ident.to_string();
    let known = match name.as_str() {
        "State" => is_generic,
        "ToolExecution" | "ToolResult" | "CallId" | "RunContext" => true,
        _ => false,
    };
    known.then_some(name)
}

/// A hook's parameter has somewhere to come from.
pub(super) fn hook_parameter(hook: &Hook, param: &Param, diagnostics: &mut Diagnostics) {
    if let Some(whole) = &param.whole {
        diagnostics.help(
            whole,
            "`#[args]` belongs on a tool",
            "take the parameters by name",
        );
    }
    if let Some((attr, _)) = &param.arg
        && hook.tool.is_none()
    {
        let attribute = hook.role.attribute();
        diagnostics.help(
            attr,
            "this hook is bound to no tool, whose parameter it could take",
            format_args!("`#[{attribute}(tool = ...)]`"),
        );
    }
    let source = hook.source(param);
    if matches!(source, Source::Next) && param.referent().is_some() {
        diagnostics.help(
            &param.ty,
            "`next` is taken by value: running it uses it up",
            "`next: Next<'_>`",
        );
        return diagnostics.mark_broken();
    }
    if let (Source::Argument(_), None) = (&source, &param.arg)
        && let Some(name) = spelled_context(&param.ty)
    {
        let ident = param.ident.to_token_stream();
        let named = match name.as_str() {
            "ToolExecution" => "name it `execution`, ",
            _ => "",
        };
        diagnostics.help(
            &param.ty,
            format_args!("`{name}` is context, not a parameter of the tool"),
            format_args!(
                "{named}mark it `#[context] {ident}`, or `#[arg] {ident}` if it is one after all"
            ),
        );
        return diagnostics.mark_broken();
    }
    if !matches!(source, Source::Nothing) {
        return;
    }
    diagnostics.mark_broken();
    let attribute = hook.role.attribute();
    match &param.ident {
        None => diagnostics.help(
            &param.pat,
            "a hook's parameter must be a plain name: it names a parameter of the tool",
            "name it, and take it apart in the body",
        ),
        Some(ident) if hook.tool.is_some() && ident == "execution" => diagnostics.help(
            &param.ty,
            "`execution` is the call itself, taken by reference",
            "`execution: &ToolExecution`; `#[arg] execution` for a parameter of this name",
        ),
        Some(ident) if hook.tool.is_some() && hook.role.sees_result() => diagnostics.help(
            &param.ty,
            format_args!("`{ident}` is taken by reference"),
            format_args!("`{ident}: &...`; `#[arg] {ident}` for a parameter of this name"),
        ),
        Some(ident) if hook.tool.is_some() => diagnostics.help(
            ident,
            format_args!("`{ident}` is known only after the body"),
            format_args!("`#[arg] {ident}` for a parameter of this name"),
        ),
        Some(_) => diagnostics.help(
            &param.ty,
            "a hook that is bound to no tool takes context, and that by reference",
            format_args!("`#[{attribute}(tool = ...)]` to take parameters of that tool"),
        ),
    }
}

/// Whether an expression is a literal string, which stands for a value of its parameter's type.
pub(crate) fn is_text(expression: &Expr) -> bool {
    matches!(peel(expression), Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)))
}
