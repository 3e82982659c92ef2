//! What is shown, and what is asked.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tool_core::{Approval, ApprovalRequest, Approver};

/// A place to write to, and one where lines come from. Clones share both.
#[derive(Clone)]
pub(crate) struct Terminal {
    lines: Arc<tokio::sync::Mutex<UnboundedReceiver<String>>>,
    out: Arc<Mutex<dyn Write + Send>>,
}

impl Terminal {
    /// Standard input and output.
    pub(crate) fn stdio() -> Self {
        let (sender, lines) = mpsc::unbounded_channel();
        // A thread, because reading standard input cannot be cancelled: it must not keep the
        // program from ending.
        std::thread::spawn(move || {
            for line in std::io::stdin().lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self::new(lines, std::io::stdout())
    }

    pub(crate) fn new(lines: UnboundedReceiver<String>, out: impl Write + Send + 'static) -> Self {
        Self {
            lines: Arc::new(tokio::sync::Mutex::new(lines)),
            out: Arc::new(Mutex::new(out)),
        }
    }

    /// Shows a text at once.
    pub(crate) fn show(&self, text: &str) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody is left to be told that nobody is there.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    /// The next line, `None` at the end of input.
    pub(crate) async fn line(&self) -> Option<String> {
        self.lines.lock().await.recv().await
    }
}

/// Asks with the arguments in full: what is shown is what runs.
impl Approver for Terminal {
    async fn request(&self, ask: ApprovalRequest) -> Approval {
        let reason = ask.reason.as_deref().unwrap_or("it asks for approval");
        self.show(&format!(
            "\n[{}: {reason}]\n{:#}\n",
            ask.tool, ask.arguments
        ));
        loop {
            self.show("run it? [y/n] ");
            let Some(line) = self.line().await else {
                return Approval::Unavailable;
            };
            match line.trim() {
                "y" | "yes" => return Approval::AllowedOnce,
                "n" | "no" => return Approval::Rejected,
                _ => {}
            }
        }
    }
}
