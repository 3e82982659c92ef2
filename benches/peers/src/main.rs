//! This family beside work written by hand, floors, and other crates: in one program, in one run, rows
//! one after another in each round.
//!
//! `tool-benches-peers check|calls|parallel|scale [ROUNDS]`, `... one SIZE PATH` for other programs.

mod calls;
mod floor;
#[cfg(feature = "peers")]
mod parallel;
#[cfg(feature = "peers")]
mod peers;
#[cfg(feature = "peers")]
mod scale;

use tool_benches::count::Counting;
use tool_benches::measure::rounds;
use tool_benches::work::one_thread;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let tokio = one_thread();
    let given: Vec<String> = std::env::args().skip(1).collect();
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    match given[..] {
        ["check", ..] => calls::check(&tokio),
        ["calls", ..] => calls::calls(&tokio, rounds()),
        #[cfg(feature = "peers")]
        ["parallel", ..] => parallel::parallel(&tokio, rounds()),
        #[cfg(feature = "peers")]
        ["scale", ..] => scale::scale(&tokio, rounds()),
        ["one", size, path] => println!("{}", calls::one(&tokio, size, path)),
        _ => {
            eprintln!("usage: tool-benches-peers check|calls|parallel|scale [ROUNDS]");
            std::process::exit(2);
        }
    }
}
