//! Ten thousand calls at once, each of which waits once: joined on one thread, spawned on two, parked.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::runtime::{Builder, Runtime};

use crate::count::live;
use crate::measure::{Figures, Row, measure_times};

/// How many there are.
pub const MANY: u32 = 10_000;

/// One of them.
pub type Call = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Calls of one kind.
pub struct Crowd {
    name: String,
    make: Arc<dyn Fn(u32) -> Call + Send + Sync>,
}

impl Crowd {
    /// Calls that `make` makes of `host` and their numbers.
    pub fn new<H: Send + Sync + 'static, F: Future<Output = ()> + Send + 'static>(
        name: impl Into<String>,
        host: H,
        make: impl Fn(Arc<H>, u32) -> F + Send + Sync + 'static,
    ) -> Self {
        let host = Arc::new(host);
        Self {
            name: name.into(),
            make: Arc::new(move |number| Box::pin(make(host.clone(), number))),
        }
    }

    fn all(&self) -> impl Iterator<Item = Call> {
        (0..MANY).map(|number| (self.make)(number))
    }

    /// What one of the calls takes up while it waits, in bytes.
    pub fn parked(&self, tokio: &Runtime) -> f64 {
        tokio.block_on(async {
            let mut parked: Vec<Call> = Vec::with_capacity(MANY as usize);
            let before = live();
            for mut call in self.all() {
                let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                assert!(polled.is_pending(), "{}", self.name);
                parked.push(call);
            }
            let each = (live() - before) as f64 / f64::from(MANY);
            join_all(parked).await;
            each
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The time of one of all calls, joined.
pub fn joined(crowds: &[Crowd], tokio: &Runtime, rounds: usize) -> Vec<Figures> {
    rows(crowds, rounds, |crowd| {
        tokio.block_on(join_all(crowd.all()));
    })
}

/// The time of one of all calls, each in a task of an executor of two threads.
pub fn spawned(crowds: &[Crowd], rounds: usize) -> Vec<Figures> {
    let two = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .expect("a runtime of two threads");
    rows(crowds, rounds, |crowd| {
        two.block_on(async {
            let tasks: Vec<_> = crowd.all().map(tokio::spawn).collect();
            for task in tasks {
                task.await.expect("a call that ends");
            }
        });
    })
}

fn rows(crowds: &[Crowd], rounds: usize, run: impl Fn(&Crowd)) -> Vec<Figures> {
    let time = |crowd: &Crowd| -> Duration {
        let began = Instant::now();
        run(crowd);
        began.elapsed() / MANY
    };
    let time = &time;
    let rows: Vec<Row<'_>> = crowds
        .iter()
        .map(|crowd| Row::timed(crowd.name(), move |_| time(crowd)))
        .collect();
    measure_times(&rows, rounds, 1)
}
