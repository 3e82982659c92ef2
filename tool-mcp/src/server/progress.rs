//! From a body's progress to notifications, none of which comes after the result.

use std::future::Future;
use std::sync::{Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use tokio::sync::mpsc;
use tool_core::{Progress, ToolCall};

/// How many reports wait to be sent. A body that reports faster than its client reads loses some
/// of them, never memory.
const WAITING: usize = 64;

/// Where a call's reports go.
pub(super) struct Reports {
    peer: Peer<RoleServer>,
    token: ProgressToken,
    waiting: mpsc::Receiver<Progress>,
}

/// Has `call` report to the client that gave `token`.
pub(super) fn report(
    call: ToolCall,
    peer: &Peer<RoleServer>,
    token: ProgressToken,
) -> (ToolCall, Reports) {
    let (report, waiting) = mpsc::channel(WAITING);
    let last = Mutex::new(f64::NEG_INFINITY);
    let call = call.on_progress(move |progress| {
        // The protocol wants each report to be further than the one before.
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.fraction > *last {
            *last = progress.fraction;
            let _full = report.try_send(progress);
        }
    });
    let reports = Reports {
        peer: peer.clone(),
        token,
        waiting,
    };
    (call, reports)
}

impl Reports {
    /// Runs the call and sends what it reports meanwhile.
    pub(super) async fn send_during<T>(mut self, running: impl Future<Output = T>) -> T {
        let mut running = std::pin::pin!(running);
        let result = loop {
            tokio::select! {
                biased;
                result = &mut running => break result,
                Some(progress) = self.waiting.recv() => {
                    let mut sending = std::pin::pin!(send(&self.peer, &self.token, progress));
                    tokio::select! {
                        biased;
                        result = &mut running => {
                            self.waiting.close();
                            // Dropped halfway, it could be sent after the result.
                            sending.await;
                            break result;
                        }
                        () = &mut sending => {}
                    }
                }
            }
        };
        // A body may have left a clone of its context with a task: what comes now is too late.
        self.waiting.close();
        while let Ok(progress) = self.waiting.try_recv() {
            send(&self.peer, &self.token, progress).await;
        }
        result
    }
}

async fn send(peer: &Peer<RoleServer>, token: &ProgressToken, progress: Progress) {
    let mut params = ProgressNotificationParam::new(token.clone(), progress.fraction);
    params.total = Some(1.0);
    if !progress.message.is_empty() {
        params.message = Some(progress.message);
    }
    // It fails where the client is gone; its call is cancelled elsewhere.
    let _gone = peer.notify_progress(params).await;
}
