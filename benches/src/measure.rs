//! Measuring: rows run one after another in each round, so that a slow moment slows all of them.

use std::time::{Duration, Instant};

use crate::count;

/// How much of a second a row runs in each round.
const SLICE: f64 = 8e-3;

/// Something to be measured.
pub struct Row<'a> {
    name: String,
    run: Box<dyn Fn(u64) -> Duration + 'a>,
}

impl<'a> Row<'a> {
    /// A row; `run(n)` does the work `n` times.
    pub fn new(name: impl Into<String>, run: impl Fn(u64) + 'a) -> Self {
        Self::timed(name, move |n| {
            let began = Instant::now();
            run(n);
            began.elapsed()
        })
    }

    /// A row that says itself how long the work took, such as without tidying up.
    pub fn timed(name: impl Into<String>, run: impl Fn(u64) -> Duration + 'a) -> Self {
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

/// How often something fits into so many seconds, if it took `time` for `repeats` of it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small count"
)]
fn times_in(seconds: f64, time: Duration, repeats: u64) -> u64 {
    let each = time.as_secs_f64() / repeats as f64;
    (seconds / each.max(1e-9)) as u64
}

/// What [`measure`] does, with rows that run so often in each round; nothing is counted.
pub fn measure_times(rows: &[Row<'_>], rounds: usize, times: u64) -> Vec<Figures> {
    let mut all: Vec<Figures> = rows
        .iter()
        .map(|row| {
            (row.run)(times);
            Figures {
                name: row.name.clone(),
                nanoseconds: Vec::new(),
                allocations: f64::NAN,
                bytes: f64::NAN,
            }
        })
        .collect();
    run_rounds(rows, &mut all, &vec![times; rows.len()], rounds);
    all
}

fn run_rounds(rows: &[Row<'_>], all: &mut [Figures], repeats: &[u64], rounds: usize) {
    for _ in 0..rounds {
        for ((row, figures), &repeat) in rows.iter().zip(&mut *all).zip(repeats) {
            let each = (row.run)(repeat).as_secs_f64() / repeat as f64;
            figures.nanoseconds.push(each * 1e9);
        }
    }
}

/// Runs all rows, round by round.
pub fn measure(rows: &[Row<'_>], rounds: usize) -> Vec<Figures> {
    let mut repeats = Vec::new();
    let mut all: Vec<Figures> = rows
        .iter()
        .map(|row| {
            let once = (row.run)(1);
            // Enough to be warm, and no more of what is slow.
            let sample = times_in(SLICE, once, 1).clamp(1, 50);
            (row.run)(sample);
            let all = (row.run)(sample);
            repeats.push(times_in(SLICE, all, sample).max(3));
            let (count, bytes) = count::allocated();
            (row.run)(2 * sample);
            let (count_after, bytes_after) = count::allocated();
            let each = |total: u64| total as f64 / (2 * sample) as f64;
            Figures {
                name: row.name.clone(),
                nanoseconds: Vec::new(),
                allocations: each(count_after - count),
                bytes: each(bytes_after - bytes),
            }
        })
        .collect();
    run_rounds(rows, &mut all, &repeats, rounds);
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
