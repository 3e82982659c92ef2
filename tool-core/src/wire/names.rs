//! Names of tools in a history.

use super::Provider;

/// The longest name that all providers take.
const LONGEST: usize = 64;

/// The name of a called tool, for a history that the provider accepts.
///
/// A model can call what was never exported, `browser.tabs.open` or nothing at all. The runtime
/// answers that there is no such tool, but providers check names in histories as they check names
/// of tools, and would refuse this request and every later one.
///
/// Sources: OpenAI API reference, "Create chat completion", `tool_calls[].function.name`;
/// Anthropic API reference, "Messages", `tool_use.name`; Gemini API reference, `FunctionCall.name`.
pub(super) fn for_history(provider: Provider, name: &str) -> String {
    let allowed = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '_' | '-')
            || provider == Provider::Gemini && matches!(c, '.' | ':')
            // Ollama prints names into the prompt and checks none.
            || provider == Provider::Ollama
    };
    let name: String = name
        .chars()
        .take(LONGEST)
        .map(|c| if allowed(c) { c } else { '_' })
        .collect();
    let letter_first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match provider {
        _ if name.trim().is_empty() => "unnamed".to_owned(),
        // All ASCII by now, so that the cut is between characters.
        Provider::Gemini if !letter_first => format!("_{}", &name[..name.len().min(LONGEST - 1)]),
        _ => name,
    }
}
