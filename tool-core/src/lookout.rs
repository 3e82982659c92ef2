//! Looking out for another thread's next move before going to sleep.
//!
//! To wake a thread takes some 10 us, several times what a small call takes. Where the other side has
//! just been given something and mostly answers within that time, looking for its answer is faster
//! and, as neither side has to be put to sleep and woken, cheaper as well.

use std::hint::spin_loop;
use std::sync::LazyLock;
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

/// So long at most. A task that does not wait for longer than this holds up nobody.
const LONGEST: Duration = Duration::from_micros(25);

/// Whoever answered this fast after all, to a side that slept, is looked out for the next time.
const FAST: Duration = Duration::from_micros(100);

/// With one processor the other side cannot move meanwhile.
static HAS_COMPANY: LazyLock<bool> =
    LazyLock::new(|| available_parallelism().is_ok_and(|count| count.get() > 1));

/// After so many looks in a row that saw nothing, the other side is not on a thread of its own.
const IN_VAIN: u8 = 4;

/// Whether the other side is worth looking out for: it was as fast as that the last time.
#[derive(Clone, Copy, Debug)]
pub struct Lookout {
    is_worth_it: bool,
    in_vain: u8,
}

impl Lookout {
    /// Nothing is known of the other side yet.
    pub fn new() -> Self {
        Self {
            is_worth_it: *HAS_COMPANY,
            in_vain: 0,
        }
    }

    /// What `see` sees within a few microseconds, if anything.
    pub fn look<T>(&mut self, mut see: impl FnMut() -> Option<T>) -> Option<T> {
        if !self.is_worth_it || self.in_vain >= IN_VAIN {
            return see();
        }
        let start = Instant::now();
        while start.elapsed() < LONGEST {
            for _ in 0..16 {
                if let Some(seen) = see() {
                    self.in_vain = 0;
                    return Some(seen);
                }
                spin_loop();
            }
            thread::yield_now();
        }
        self.in_vain += 1;
        None
    }

    /// The other side moved after this side had slept so long.
    pub fn slept(&mut self, time: Duration) {
        self.is_worth_it = *HAS_COMPANY && time < FAST;
    }
}

impl Default for Lookout {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_company() -> Lookout {
        Lookout {
            is_worth_it: true,
            in_vain: 0,
        }
    }

    #[test]
    fn sees_what_comes_while_it_looks() {
        let mut looks = 0;
        let seen = with_company().look(|| {
            looks += 1;
            (looks == 5).then_some("it")
        });
        assert_eq!(seen, Some("it"));
    }

    #[test]
    fn looks_once_where_the_other_side_is_slow() {
        let mut lookout = with_company();
        lookout.slept(FAST);
        let mut looks = 0;
        let seen = lookout.look(|| {
            looks += 1;
            None::<()>
        });
        assert_eq!((seen, looks), (None, 1));
    }

    #[test]
    fn gives_up_where_nothing_comes_while_it_looks() {
        let mut lookout = with_company();
        for _ in 0..IN_VAIN {
            let mut looks = 0;
            let seen = lookout.look(|| {
                looks += 1;
                None::<()>
            });
            assert!(seen.is_none() && looks >= 16, "{looks} looks");
        }
        let mut looks = 0;
        lookout.look(|| {
            looks += 1;
            None::<()>
        });
        assert_eq!(looks, 1);
        assert_eq!(lookout.look(|| Some(7)), Some(7), "what is there is seen");
    }

    #[test]
    fn one_hit_makes_it_look_again() {
        let mut lookout = with_company();
        for _ in 0..IN_VAIN - 1 {
            lookout.look(|| None::<()>);
        }
        lookout.look(|| Some(()));
        let mut looks = 0;
        lookout.look(|| {
            looks += 1;
            None::<()>
        });
        assert!(looks >= 16, "{looks} looks");
    }
}
