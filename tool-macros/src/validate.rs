//! The rules, one function each.

mod params;

pub(crate) use self::params::{is_argument, is_text};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr, ReceiverKind, Safety, Signature, Type};

use crate::args::{Args, as_path, as_text, milliseconds, peel};
use crate::diagnostics::{Diagnostics, closest};
use crate::docs::Text;
use crate::item::{self, ImplBlock, ItemFn};
use crate::model::{Function, Hook, Role, Tool};

pub(crate) fn tool(tool: &Tool, diagnostics: &mut Diagnostics) {
    function("a tool", &tool.function, tool.of.is_some(), diagnostics);
    name(tool, diagnostics);
    description(tool, diagnostics);
    timeout(tool.args, diagnostics);
    on_cancel(tool.args, diagnostics);
    hints(tool.args, diagnostics);
    callers(tool.args, diagnostics);
    max_content_bytes(tool.args, diagnostics);
    for param in &tool.function.params {
        params::parameter(param, diagnostics);
    }
    params::one_property_each(&tool.function.params, diagnostics);
    params::args_alone(tool, diagnostics);
}

pub(crate) fn hook(hook: &Hook, args: &Args, diagnostics: &mut Diagnostics) {
    let noun = hook.role.noun();
    function(noun, &hook.function, hook.of.is_some(), diagnostics);
    sync_observer(hook, diagnostics);
    // A bad `tool` was reported; the hook is not an untyped one for that.
    let wants_tool = args.key("tool").is_some() || args.meant("tool");
    if wants_tool && hook.tool.is_none() {
        return diagnostics.mark_broken();
    }
    for param in &hook.function.params {
        params::hook_parameter(hook, param, diagnostics);
    }
}

/// What holds for every function that the pipeline calls.
fn function(noun: &str, function: &Function, in_toolbox: bool, diagnostics: &mut Diagnostics) {
    let item = function.item;
    receiver(noun, &item.sig, in_toolbox, diagnostics);
    qualifiers(noun, &item.sig, diagnostics);
    generics(noun, function, diagnostics);
    if !item.has_body() {
        diagnostics.help(
            &item.body,
            format_args!("{noun} needs a body"),
            "mark a function of its own, not a method of a trait",
        );
        diagnostics.mark_broken();
    }
}

/// `#[tool] #[tool]` would expand twice: the first expansion takes the second attribute away.
pub(crate) fn applied_once(name: &str, item: &mut ItemFn, diagnostics: &mut Diagnostics) {
    let same = |attr: &Attribute| names(attr, name);
    for attr in item.attrs.iter().filter(|attr| same(attr)) {
        diagnostics.help(
            attr,
            format_args!("`#[{name}]` is already applied to this function"),
            "remove one of the two",
        );
    }
    item.attrs.retain(|attr| !same(attr));
}

/// `#[tool]` or `#[tool_core::tool]`; an attribute imported by another name cannot be told.
pub(crate) fn names(attr: &Attribute, name: &str) -> bool {
    let path = attr.path();
    let segments = &path.segments;
    path.is_ident(name)
        || segments.len() == 2 && segments[0].ident == "tool_core" && segments[1].ident == name
}

/// `#[toolbox]` on `struct Weather;`.
pub(crate) fn not_a_block(item: &TokenStream, diagnostics: &mut Diagnostics) {
    diagnostics.help(
        item::keyword(item),
        "`#[toolbox]` can only be used on an `impl` block",
        "mark the block whose methods are tools",
    );
}

/// `#[tool]` on `struct Search;`.
pub(crate) fn not_a_function(attribute: &str, item: &TokenStream, diagnostics: &mut Diagnostics) {
    let help = match attribute {
        "tool" => "mark the function that does the work",
        _ => "mark the function that decides",
    };
    diagnostics.help(
        item::keyword(item),
        format_args!("`#[{attribute}]` can only be used on a function"),
        help,
    );
}

/// `#[toolbox] impl Display for Weather`, `impl<C> Weather<C>`.
pub(crate) fn toolbox(block: &ImplBlock, diagnostics: &mut Diagnostics) {
    if let Some((path, _)) = &block.of_trait {
        diagnostics.help(
            path,
            "`#[toolbox]` needs an inherent `impl` block",
            "move the tools to an `impl` of the type itself",
        );
        diagnostics.mark_broken();
    }
    if let Some(param) = block.generics.params.first() {
        diagnostics.help(
            param,
            "a toolbox cannot be generic: the schemas of its tools are fixed",
            "use a concrete type, such as `Arc<dyn Trait>`",
        );
        diagnostics.mark_broken();
    }
}

/// Outside a toolbox no instance is at hand; inside, calls share it.
fn receiver(noun: &str, sig: &Signature, in_toolbox: bool, diagnostics: &mut Diagnostics) {
    let Some(receiver) = sig.receiver() else {
        return;
    };
    let by_ref = matches!(receiver.kind, ReceiverKind::Reference(_, _, None));
    if !by_ref {
        diagnostics.help(
            receiver,
            format_args!("{noun} takes `&self`: calls may overlap"),
            "put changing state behind a lock",
        );
        diagnostics.mark_broken();
    } else if !in_toolbox {
        diagnostics.help(
            receiver,
            format_args!("{noun} that takes `self` needs `#[toolbox]` on its `impl` block"),
            "`#[toolbox] impl ... { ... }`, and `.toolbox(value)` on the builder",
        );
        diagnostics.mark_broken();
    }
}

/// `unsafe fn`, `const fn`, `extern "C" fn`, `fn f(a: u8, ...)`.
fn qualifiers(noun: &str, sig: &Signature, diagnostics: &mut Diagnostics) {
    let mut refuse = |token: TokenStream, word: &str, help: &str| {
        diagnostics.help(token, format_args!("{noun} cannot be `{word}`"), help);
    };
    if let Some(token) = &sig.constness {
        refuse(
            token.to_token_stream(),
            "const",
            "remove `const`, or call a `const fn` inside",
        );
    }
    if !matches!(sig.safety, Safety::Default) {
        let token = sig.safety.to_token_stream();
        refuse(
            token,
            "unsafe",
            "call the unsafe function inside a safe one",
        );
    }
    if let Some(token) = &sig.abi {
        refuse(
            token.to_token_stream(),
            "extern",
            "call the foreign function inside this one",
        );
    }
    if let Some(token) = &sig.variadic {
        refuse(token.to_token_stream(), "variadic", "take a `Vec<T>`");
    }
    if sig.constness.is_some() || sig.variadic.is_some() || sig.abi.is_some() {
        diagnostics.mark_broken();
    }
    if !matches!(sig.safety, Safety::Default) {
        diagnostics.mark_broken();
    }
}

/// `fn f<T>(..)`, `fn f(x: impl Trait)`, `fn f() -> impl Trait`.
fn generics(noun: &str, function: &Function, diagnostics: &mut Diagnostics) {
    let reason = if noun == "a tool" {
        ": its schema is fixed"
    } else {
        ""
    };
    for param in &function.item.sig.generics.params {
        let name = match param {
            syn::GenericParam::Lifetime(lifetime) => lifetime.lifetime.to_string(),
            syn::GenericParam::Type(ty) => ty.ident.to_string(),
            syn::GenericParam::Const(constant) => constant.ident.to_string(),
        };
        let help = match param {
            syn::GenericParam::Lifetime(_) => "leave the lifetime out",
            _ => "use a concrete type",
        };
        diagnostics.help(
            param,
            format_args!("{noun} cannot be generic over `{name}`{reason}"),
            help,
        );
        diagnostics.mark_broken();
    }
    let types = function
        .params
        .iter()
        .map(|param| &param.ty)
        .chain([&function.output]);
    for ty in types {
        let inner = match item::peel(ty) {
            Type::Reference(reference) => item::peel(&reference.elem),
            other => other,
        };
        if matches!(inner, Type::ImplTrait(_)) {
            let message = format!("{noun} cannot be generic over `impl Trait`{reason}");
            diagnostics.help(inner, message, "use a concrete type");
            diagnostics.mark_broken();
        }
    }
}

/// What every provider takes as a name.
fn name(tool: &Tool, diagnostics: &mut Diagnostics) {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if (1..=64).contains(&tool.name.len()) && tool.name.chars().all(legal) {
        return;
    }
    let message = "a tool name may only contain ASCII letters, digits, `_` and `-` (1 to 64)";
    match tool.args.text("name") {
        Some(name) => diagnostics.error(name, message),
        None => diagnostics.help(tool.function.ident, message, "`#[tool(name = \"...\")]`"),
    }
}

/// `description = ""`, no doc comment, or an empty one.
fn description(tool: &Tool, diagnostics: &mut Diagnostics) {
    if tool.args.meant("description") {
        return;
    }
    if matches!(&tool.description, Text::Literal(text) if text.is_empty()) {
        let message = "a tool needs a description: the model chooses tools by it";
        match tool.args.value("description") {
            Some(value) => diagnostics.help(value, message, "say what the tool does"),
            None => diagnostics.help(
                tool.function.ident,
                message,
                "add a `///` comment above the function, or `description = \"...\"`",
            ),
        }
    }
}

/// `timeout = "0s"`, `timeout = 30`. Any other expression is rustc's.
fn timeout(args: &Args, diagnostics: &mut Diagnostics) {
    const HELP: &str = "`\"30s\"`, `\"500ms\"`";
    let Some(value) = args.value("timeout") else {
        return;
    };
    match (as_text(value), peel(value)) {
        (Some(text), _) => {
            let text = text.value();
            if milliseconds(&text).is_some() {
                return;
            }
            let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            if digits.parse::<f64>().is_ok_and(|number| number == 0.0) {
                diagnostics.help(value, "`timeout` must be longer than zero", HELP);
            } else {
                diagnostics.help(
                    value,
                    "`timeout` must be a number with `ms`, `s`, `m` or `h`",
                    HELP,
                );
            }
        }
        (None, Expr::Lit(_)) => {
            diagnostics.help(value, "`timeout` must be a string or a `Duration`", HELP);
        }
        (None, _) => {}
    }
}

fn on_cancel(args: &Args, diagnostics: &mut Diagnostics) {
    let Some(text) = args.text("on_cancel") else {
        return;
    };
    if !["drop", "wait"].contains(&text.value().as_str()) {
        diagnostics.help(
            text,
            "`on_cancel` must be `\"drop\"` or `\"wait\"`",
            "`on_cancel = \"drop\"`",
        );
    }
}

/// What destroys does not only read.
fn hints(args: &Args, diagnostics: &mut Diagnostics) {
    let both = args.flag("read_only") == Some(true) && args.flag("destructive") == Some(true);
    if !both {
        return;
    }
    let order = |name: &str| args.position(name);
    let second = if order("read_only") > order("destructive") {
        "read_only"
    } else {
        "destructive"
    };
    diagnostics.help(
        args.key(second),
        "a read-only tool cannot be destructive",
        "remove one of the two",
    );
}

/// `callers = []`, `callers = [modle]`.
fn callers(args: &Args, diagnostics: &mut Diagnostics) {
    const KNOWN: [&str; 2] = ["direct", "code"];
    let Some(value) = args.value("callers") else {
        return;
    };
    let Expr::Array(array) = peel(value) else {
        let help = "`callers = [direct, code]`";
        return diagnostics.help(value, "`callers` must be a list", help);
    };
    if array.elems.is_empty() {
        diagnostics.help(array, "a tool needs a caller", "`callers = [direct, code]`");
    }
    for caller in &array.elems {
        let word = as_path(caller).map(|path| path.to_token_stream().to_string());
        if word.as_deref().is_some_and(|word| KNOWN.contains(&word)) {
            continue;
        }
        let word = word
            .or_else(|| as_text(caller).map(syn::LitStr::value))
            .unwrap_or_default();
        let help = match closest(&word, KNOWN) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "expected one of `direct`, `code`".to_owned(),
        };
        diagnostics.help(caller, format_args!("unknown caller `{word}`"), help);
    }
}

/// The names of the callers, for a list without mistakes.
pub(crate) fn has_caller(args: &Args, name: &str) -> bool {
    match args.value("callers").map(peel) {
        Some(Expr::Array(array)) => array
            .elems
            .iter()
            .any(|caller| as_path(caller).is_some_and(|path| path.is_ident(name))),
        _ => true,
    }
}

/// `max_content_bytes = 0`, `= "1 kB"`, `= -1`. Any other expression is rustc's.
fn max_content_bytes(args: &Args, diagnostics: &mut Diagnostics) {
    const HELP: &str = "`max_content_bytes = 10_000`";
    let Some(value) = args.value("max_content_bytes") else {
        return;
    };
    if !may_count(value) {
        let message = "`max_content_bytes` must be a number of bytes, at least 1";
        diagnostics.help(value, message, HELP);
    }
}

/// Whether an expression can be a count of something: no literal but a positive integer is.
pub(crate) fn may_count(expression: &Expr) -> bool {
    match peel(expression) {
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Int(number) => number.base10_parse::<u128>().is_ok_and(|number| number > 0),
            _ => false,
        },
        Expr::Unary(unary) => !matches!(unary.op, syn::UnOp::Neg(_)),
        _ => true,
    }
}

/// Nothing waits for an observer.
fn sync_observer(hook: &Hook, diagnostics: &mut Diagnostics) {
    if let (Role::OnResult, Some(token)) = (hook.role, &hook.function.item.sig.asyncness) {
        diagnostics.help(
            token,
            "an observer cannot be `async`: no result waits for it",
            "remove `async`, and spawn a task for what takes time",
        );
        diagnostics.mark_broken();
    }
}
