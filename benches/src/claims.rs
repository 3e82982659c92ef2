//! What is promised, beside what was measured: the rows of the table in `README.md`.

use crate::measure::{Figures, Spread, ratio};

/// The table's head. `benches/table` finds the rows by it.
const HEAD: &str = "| path | at most | measured [min, max] | allocations | reached |";

/// Rows of promises and measurements.
#[derive(Debug, Default)]
pub struct Claims(Vec<String>);

impl Claims {
    /// A row's time is to be at most so many times that of another.
    pub fn ratio(&mut self, path: &str, at_most: f64, row: &Figures, to: &Figures) {
        self.spread(path, at_most, "", ratio(row, to));
    }

    /// The same, and there is a limit to the allocations of the row.
    pub fn call(
        &mut self,
        path: &str,
        at_most: f64,
        allocations: f64,
        row: &Figures,
        to: &Figures,
    ) {
        let times = ratio(row, to);
        let few = row.allocations <= allocations;
        let reached = yes(times.median <= at_most && few);
        self.0.push(format!(
            "| {path} | {at_most:.2}, {allocations:.0} allocations | {} | {:.0} | {reached} |",
            shown(times, ""),
            row.allocations,
        ));
    }

    /// Something in a unit is to be at most so much.
    pub fn spread(&mut self, path: &str, at_most: f64, unit: &str, measured: Spread) {
        let reached = yes(measured.median <= at_most);
        self.0.push(format!(
            "| {path} | {at_most:.2}{unit} | {} | | {reached} |",
            shown(measured, unit),
        ));
    }

    /// The same of what does not vary, such as a number of bytes.
    pub fn number(&mut self, path: &str, at_most: f64, unit: &str, measured: f64) {
        let reached = yes(measured <= at_most);
        self.0.push(format!(
            "| {path} | {at_most:.0}{unit} | {measured:.0}{unit} | | {reached} |"
        ));
    }

    /// Prints the table.
    pub fn print(&self) {
        println!("\n{HEAD}\n|---|---|---|---|---|");
        for row in &self.0 {
            println!("{row}");
        }
    }
}

fn yes(reached: bool) -> &'static str {
    match reached {
        true => "yes",
        false => "**no**",
    }
}

fn shown(spread: Spread, unit: &str) -> String {
    let Spread { min, median, max } = spread;
    format!("{median:.2}{unit} [{min:.2}, {max:.2}]")
}

/// The promises about one call, from the rows of `paths` and the hand-written one.
pub fn one_call(claims: &mut Claims, small: &[Figures], large: &[Figures]) {
    fn row<'a>(rows: &'a [Figures], name: &str) -> &'a Figures {
        let found = rows.iter().find(|row| row.name == name);
        found.expect("a row of this name")
    }
    let hand = row(small, "hand-written");
    let typed = row(small, "typed policy");
    let reading = row(small, "typed policy, the post hook takes a parameter");
    claims.call("no hooks", 1.5, 21.0, row(small, "no hooks"), hand);
    claims.call(
        "two typed guards, around, typed post, finalizer",
        1.75,
        23.0,
        typed,
        hand,
    );
    let rounds = reading.nanoseconds.iter().zip(&typed.nanoseconds);
    let more = rounds.zip(&hand.nanoseconds).map(|((a, b), c)| (a - b) / c);
    let path = "the same, the post hook also takes a parameter: more by";
    claims.spread(path, 0.4, "", Spread::of(more));
    let path = "two guards and a pre hook that read JSON, around, post on text, finalizer";
    let json = row(small, "policy that reads JSON, post on text");
    claims.call(path, 2.2, 32.0, json, hand);
    for path in [
        "all of it, the post hook reads JSON",
        "all of it, the value replaced and checked",
    ] {
        claims.ratio(path, 3.6, row(small, path), hand);
    }
    let hand = row(large, "hand-written");
    claims.ratio(
        "large payload, no hooks",
        1.15,
        row(large, "no hooks"),
        hand,
    );
    claims.ratio(
        "large payload, typed hooks",
        1.15,
        row(large, "typed policy"),
        hand,
    );
    let path = "large payload, the post hook also takes a parameter";
    let reading = row(large, "typed policy, the post hook takes a parameter");
    claims.ratio(path, 1.15, reading, hand);
}
