//! What one run may use.

use std::time::Duration;

/// The budgets of one run. Every setter clamps its value to what the engine can keep.
///
/// | budget | default | least | most |
/// |---|---|---|---|
/// | `cpu` | 60 s | 1 ms | 1 h |
/// | `wall` | 600 s | 1 ms | 24 h |
/// | `heap` | 128 MiB | 1 MiB | 4 GiB |
/// | `output` | 1 MiB | 1 KiB | 1 GiB |
/// | `arguments` | 1 MiB | 1 KiB | 1 GiB |
/// | `calls` | 500 | 0 | 1 000 000 |
///
/// ```
/// use std::time::Duration;
/// use tool_code_mode::Limits;
///
/// let limits = Limits::new().cpu(Duration::from_secs(5)).wall(Duration::MAX);
/// assert_eq!(limits.wall_time(), Duration::from_hours(24));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    cpu: Duration,
    wall: Duration,
    heap: usize,
    output: usize,
    arguments: usize,
    calls: u32,
}

const MIB: usize = 1 << 20;

impl Default for Limits {
    fn default() -> Self {
        Self {
            cpu: Duration::from_mins(1),
            wall: Duration::from_mins(10),
            heap: 128 * MIB,
            output: MIB,
            arguments: MIB,
            calls: 500,
        }
    }
}

impl Limits {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Time that the program itself computes. Waiting for tools is free.
    #[must_use]
    pub fn cpu(mut self, budget: Duration) -> Self {
        self.cpu = budget.clamp(Duration::from_millis(1), Duration::from_hours(1));
        self
    }

    /// Time from start to end, less the time that approvals are waited for.
    #[must_use]
    pub fn wall(mut self, budget: Duration) -> Self {
        self.wall = budget.clamp(Duration::from_millis(1), Duration::from_hours(24));
        self
    }

    /// Bytes of all values that the program holds at once.
    #[must_use]
    pub fn heap(mut self, bytes: usize) -> Self {
        self.heap = bytes.clamp(MIB, 4096 * MIB);
        self
    }

    /// Bytes of everything the program prints and returns.
    #[must_use]
    pub fn output(mut self, bytes: usize) -> Self {
        self.output = bytes.clamp(1 << 10, 1024 * MIB);
        self
    }

    /// Bytes of the arguments of one call, as JSON.
    #[must_use]
    pub fn arguments(mut self, bytes: usize) -> Self {
        self.arguments = bytes.clamp(1 << 10, 1024 * MIB);
        self
    }

    /// Calls that one program may make.
    #[must_use]
    pub fn calls(mut self, count: u32) -> Self {
        self.calls = count.min(1_000_000);
        self
    }

    /// A run's own wish for its wall clock, in milliseconds, as a model may send it: it can shorten
    /// the time, never lengthen it. `1e12`, `-1` and `NaN` leave it as it is.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_code_mode::Limits;
    ///
    /// let host = Limits::new();
    /// assert_eq!(host.wished_wall_ms(2_000.0).wall_time(), Duration::from_secs(2));
    /// for wish in [1e12, -1.0, f64::NAN, f64::INFINITY] {
    ///     assert_eq!(host.wished_wall_ms(wish), host);
    /// }
    /// ```
    #[must_use]
    pub fn wished_wall_ms(self, wish: f64) -> Self {
        match Duration::try_from_secs_f64(wish / 1_000.0) {
            Ok(wish) if wish < self.wall => self.wall(wish),
            _ => self,
        }
    }

    /// The budget of computing time.
    pub fn cpu_time(&self) -> Duration {
        self.cpu
    }

    /// The budget of time from start to end.
    pub fn wall_time(&self) -> Duration {
        self.wall
    }

    /// The budget of bytes held.
    pub fn heap_bytes(&self) -> usize {
        self.heap
    }

    /// The budget of bytes printed and returned.
    pub fn output_bytes(&self) -> usize {
        self.output
    }

    /// The budget of bytes of one call's arguments.
    pub fn argument_bytes(&self) -> usize {
        self.arguments
    }

    /// The budget of calls.
    pub fn call_count(&self) -> u32 {
        self.calls
    }
}

/// `60s`, `1.5s`, `20ms`.
pub(crate) fn spelled(time: Duration) -> String {
    let ms = time.as_millis();
    if ms.is_multiple_of(1_000) {
        format!("{}s", ms / 1_000)
    } else if ms > 1_000 {
        format!("{:.1}s", time.as_secs_f64())
    } else {
        format!("{ms}ms")
    }
}

/// `1 MiB`, `64 KiB`, `1500 bytes`.
pub(crate) fn bytes(count: usize) -> String {
    match count {
        count if count >= MIB && count.is_multiple_of(MIB) => format!("{} MiB", count / MIB),
        count if count >= 1024 && count.is_multiple_of(1024) => format!("{} KiB", count / 1024),
        count => format!("{count} bytes"),
    }
}
