//! What the benchmarks share: the work of a row, the hand-written floor, measuring, and the table.

pub mod claims;
pub mod count;
pub mod crowd;
pub mod measure;
pub mod paths;
pub mod work;
