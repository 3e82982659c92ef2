//! Which tools go out strict when a request has room only for some.

use super::measure::Size;
use super::report::{Action, Finding};
use super::rule::{Count, Limit, Per, Rules};

/// What is still free of the limits that a whole request has.
pub(super) struct Budget {
    limits: Vec<(Limit, usize)>,
}

impl Budget {
    pub(super) fn new(rules: &Rules) -> Self {
        let per_request = rules
            .limits
            .iter()
            .filter(|limit| limit.per == Per::Request);
        Self {
            limits: per_request.map(|limit| (*limit, 0)).collect(),
        }
    }

    /// Takes what `size` needs, or says which limit it would exceed and takes nothing.
    pub(super) fn take(&mut self, size: &Size) -> Result<(), (Count, Finding)> {
        for (limit, used) in &self.limits {
            let total = used.saturating_add(size.count(limit.count));
            if total > limit.most {
                let noun = limit.count.noun();
                let what = format!(
                    "the request would have {total} {noun}, {} are accepted",
                    limit.most
                );
                let action = Action::WentNonStrict;
                return Err((
                    limit.count,
                    Finding {
                        path: String::new(),
                        what,
                        action,
                    },
                ));
            }
        }
        for (limit, used) in &mut self.limits {
            *used += size.count(limit.count);
        }
        Ok(())
    }

    /// How much of the tightest limit `size` takes, in millionths: tools that take little go
    /// first, so that many of them fit.
    pub(super) fn share(&self, size: &Size) -> usize {
        let share = |(limit, _): &(Limit, usize)| {
            size.count(limit.count).saturating_mul(1_000_000) / limit.most.max(1)
        };
        self.limits.iter().map(share).max().unwrap_or_default()
    }
}
