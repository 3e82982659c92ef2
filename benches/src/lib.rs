//! What the benchmarks share: the work of a row, the hand-written floor, measuring, and the table.

pub mod count;
pub mod measure;
pub mod paths;
pub mod work;

#[global_allocator]
static ALLOCATOR: count::Counting = count::Counting;
