//! What usually helps against an error, by its text and its line.

use std::ops::Range;

use crate::explain::Known;
use crate::missing;
use crate::source::{self, Position};
use crate::spell;

/// What helps against an uncaught error with this message, thrown at `at`.
pub(crate) fn help(message: &str, at: Option<Position>, known: &Known<'_>) -> Option<String> {
    let (class, text) = message.split_once(": ").unwrap_or((message, ""));
    match class {
        "ToolCallError" => {
            Some("correct the call, or catch the error with `try` and go on without it".to_owned())
        }
        "ReferenceError" => undeclared(text, known),
        "TypeError" if text.contains("not a function") => Some(not_a_function(at, known)),
        "TypeError" => type_error(text).map(str::to_owned),
        "RangeError" => Some(range_error(text).to_owned()),
        "SyntaxError" if text.contains("redefinition") => {
            Some("give the second declaration another name, or assign without `let`".to_owned())
        }
        "SyntaxError" if line_has(at, "JSON.parse", known) => Some(
            "the text is not JSON; the result of a tool is a value already and needs no parsing"
                .to_owned(),
        ),
        _ => None,
    }
}

fn type_error(text: &str) -> Option<&'static str> {
    let has = |part: &str| text.contains(part);
    if has("of undefined") || has("of null") {
        return Some(
            "the value before the dot is missing: did a call return something else, or was \
             `await` forgotten? print it with `console.log`, or write `?.`",
        );
    }
    if has("undefined or null") {
        return Some(
            "the value that is taken apart is missing: did a call return something else, or was \
             `await` forgotten? print it with `console.log`, or give it a default",
        );
    }
    if has("not iterable") {
        return Some(
            "only arrays, strings, maps and sets can be looped over: was `await` forgotten, or is \
             the array a property of the value?",
        );
    }
    if has("read-only") || has("constant") {
        return Some("declare it with `let` to assign to it again");
    }
    if has("BigInt") {
        return Some("do not mix the two: write `Number(x)` or `BigInt(x)`");
    }
    if has("circular") {
        return Some("copy what you need into a plain object");
    }
    None
}

fn range_error(text: &str) -> &'static str {
    let has = |part: &str| text.contains(part);
    if has("call stack") {
        "the recursion is too deep or never ends: use a loop"
    } else if has("too many arguments") {
        "do not spread a large array into a call: use a loop or `reduce`"
    } else if has("invalid date") || has("Invalid Date") || has("Date value") {
        "the text or number is no date: print it with `console.log`"
    } else if has("not an integer") {
        "round it with `Math.trunc` first"
    } else if has("count") || has("length") {
        "use a smaller whole number"
    } else {
        "use a value within the bounds"
    }
}

/// `fetch is not defined`, `'x' is not defined`.
fn undeclared(text: &str, known: &Known<'_>) -> Option<String> {
    let name = text.strip_suffix(" is not defined")?.trim_matches('\'');
    if missing::is_missing(name) {
        return missing::lesson(name);
    }
    if known.host.tools().iter().any(|tool| tool == name) {
        let member = spell::member(name);
        return Some(format!(
            "`{name}` is a tool: call `await tools{member}({{...}})`"
        ));
    }
    let instead = missing::habit(name).map(str::to_owned);
    Some(
        instead.unwrap_or_else(|| {
            format!("declare `{name}` before this line, or correct its spelling")
        }),
    )
}

fn line_has(at: Option<Position>, part: &str, known: &Known<'_>) -> bool {
    let range = at.and_then(|at| known.program.range(at.line));
    range.is_some_and(|range| slice(&range, known).contains(part))
}

fn slice<'k>(range: &Range<usize>, known: &Known<'k>) -> &'k str {
    let text = known.program.text();
    text.get(range.start..range.end.min(text.len()))
        .unwrap_or_default()
}

fn not_a_function(at: Option<Position>, known: &Known<'_>) -> String {
    let print = "print the value with `console.log` to see what it is";
    let Some(at) = at else {
        return print.to_owned();
    };
    let line = known.program.range(at.line).unwrap_or(0..0);
    if let Some(help) = unknown_tool(&line, known) {
        return help;
    }
    let near = known.program.offset(at);
    let Some(callee) = near.and_then(|near| known.facts.call_near(near, &line)) else {
        return print.to_owned();
    };
    let shown = |range: &Range<usize>| {
        let words: Vec<&str> = slice(range, known).split_whitespace().collect();
        source::shortened(&words.join(" "), 80)
    };
    let whole = shown(&callee.whole);
    match &callee.object {
        Some(object) if slice(object, known).starts_with("(await") => {
            format!("`{whole}` is not a function: print what was awaited with `console.log`")
        }
        Some(object) => format!(
            "`{whole}` is not a function: is `{}` a promise that needs `await`, or another kind \
             of value? print it with `console.log`",
            shown(object)
        ),
        None => format!("`{whole}` is not a function: print it with `console.log`"),
    }
}

/// `tools.serach` where there is a `search`.
fn unknown_tool(line: &Range<usize>, known: &Known<'_>) -> Option<String> {
    let tools = known.host.tools();
    let wrong = known
        .facts
        .tools_on(line.clone())
        .find(|name| *name != "$describe" && !tools.iter().any(|tool| tool == name))?;
    let near = tools
        .iter()
        .map(|tool| (distance(tool, wrong), tool))
        .filter(|(distance, tool)| *distance <= (tool.chars().count() / 3).max(1))
        .min();
    Some(match near {
        Some((_, tool)) => {
            let member = spell::member(tool);
            format!("there is no tool `{wrong}`; did you mean `tools{member}`?")
        }
        None => {
            let mut names: Vec<&str> = tools.iter().map(String::as_str).collect();
            names.sort_unstable();
            let list = source::shortened(&names.join(", "), 300);
            format!("there is no tool `{wrong}`; the tools are: {list}")
        }
    })
}

/// Insertions, deletions and replacements between two names, case aside.
fn distance(a: &str, b: &str) -> usize {
    let simple = |text: &str| text.to_lowercase().chars().take(64).collect::<Vec<char>>();
    let (a, b) = (simple(a), simple(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
