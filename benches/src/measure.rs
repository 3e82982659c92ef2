//! Measuring: rows run one after another in each round, so that a slow moment slows all of them.

use std::time::Instant;

use crate::count;

/// How much of a second a row runs in each round.
const SLICE: f64 = 8e-3;

/// Something to be measured.
pub struct Row<'a> {
    name: String,
    run: Box<dyn Fn(u64) + 'a>,
}

impl<'a> Row<'a> {
    /// A row; `run(n)` does the work `n` times.
    pub fn new(name: impl Into<String>, run: impl Fn(u64) + 'a) -> Self {
        Self {
            name: name.into(),
            run: Box::new(run),
        }
    }
}

/// What was measured of one row.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The row's name.
    pub name: String,
    /// Nanoseconds per run, one figure a round.
    pub nanoseconds: Vec<f64>,
    /// Allocations per run.
    pub allocations: f64,
    /// Bytes allocated per run.
    pub bytes: f64,
}

/// The value in the middle, between the least and the greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least.
    pub min: f64,
    /// The one in the middle.
    pub median: f64,
    /// The greatest.
    pub max: f64,
}

impl Spread {
    /// The spread of some figures, of which there is at least one.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Self {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_by(f64::total_cmp);
        Self {
            min: figures[0],
            median: figures[figures.len() / 2],
            max: figures[figures.len() - 1],
        }
    }
}

/// Runs all rows, round by round.
pub fn measure(rows: &[Row<'_>], rounds: usize) -> Vec<Figures> {
    let mut repeats = Vec::new();
    let mut all: Vec<Figures> = rows
        .iter()
        .map(|row| {
            (row.run)(50);
            let began = Instant::now();
            (row.run)(50);
            let each = began.elapsed().as_secs_f64() / 50.0;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a small count"
            )]
            repeats.push(((SLICE / each) as u64).max(3));
            let (count, bytes) = count::allocated();
            (row.run)(100);
            let (count_after, bytes_after) = count::allocated();
            Figures {
                name: row.name.clone(),
                nanoseconds: Vec::new(),
                allocations: (count_after - count) as f64 / 100.0,
                bytes: (bytes_after - bytes) as f64 / 100.0,
            }
        })
        .collect();
    for _ in 0..rounds {
        for ((row, figures), &repeat) in rows.iter().zip(&mut all).zip(&repeats) {
            let began = Instant::now();
            (row.run)(repeat);
            let each = began.elapsed().as_secs_f64() / repeat as f64;
            figures.nanoseconds.push(each * 1e9);
        }
    }
    all
}

/// The ratios of a row to another, round by round.
pub fn ratio(row: &Figures, to: &Figures) -> Spread {
    Spread::of(
        row.nanoseconds
            .iter()
            .zip(&to.nanoseconds)
            .map(|(a, b)| a / b),
    )
}

/// Prints a table of all rows, each compared with the first.
pub fn print(title: &str, all: &[Figures]) {
    println!("\n### {title}\n");
    println!("| row | ratio (min..max) | ns | allocations | bytes |");
    println!("|---|---|---|---|---|");
    for row in all {
        let ratio = ratio(row, &all[0]);
        println!(
            "| {} | {:.2} ({:.2}..{:.2}) | {:.0} | {:.1} | {:.0} |",
            row.name,
            ratio.median,
            ratio.min,
            ratio.max,
            Spread::of(row.nanoseconds.iter().copied()).median,
            row.allocations,
            row.bytes
        );
    }
}

/// How many rounds the command line asks for: `cargo bench -p tool-benches -- 41`. Default: 21.
pub fn rounds() -> usize {
    std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(21)
}
