//! Why a call failed, in the words of either side: the text stays, and so does the kind.

use rig_core::tool::{ToolErrorKind, ToolExecutionError};
use tool_core::{ToolError, ToolResult, code};

use crate::to_rig::blocks;

/// What `rig` calls a failure with this code. A code of a tool's own is `Other` there and stays.
fn kind(code: &str) -> ToolErrorKind {
    match code {
        code::INVALID_ARGS => ToolErrorKind::InvalidArgs,
        code::TOOL_TIMEOUT => ToolErrorKind::Timeout,
        code::ABORTED | code::ABORTED_BEFORE_DISPATCH | code::APPROVAL_CANCELLED => {
            ToolErrorKind::Cancelled
        }
        code::UNKNOWN_TOOL | "NOT_FOUND" => ToolErrorKind::NotFound,
        code::DENIED
        | code::APPROVAL_REJECTED
        | code::APPROVAL_UNAVAILABLE
        | code::BLOCKED
        | "PERMISSION_DENIED" => ToolErrorKind::PermissionDenied,
        "RATE_LIMITED" => ToolErrorKind::RateLimited,
        "PROVIDER" => ToolErrorKind::Provider,
        "NETWORK" => ToolErrorKind::Network,
        _ => ToolErrorKind::Other,
    }
}

/// The code under which a failure of this kind is known here.
fn code_of(error: &ToolExecutionError) -> &'static str {
    match error.kind() {
        ToolErrorKind::InvalidArgs => code::INVALID_ARGS,
        ToolErrorKind::Timeout => code::TOOL_TIMEOUT,
        ToolErrorKind::Cancelled => code::ABORTED,
        ToolErrorKind::NotFound => "NOT_FOUND",
        ToolErrorKind::PermissionDenied if error.is_refusal() => code::DENIED,
        ToolErrorKind::PermissionDenied => "PERMISSION_DENIED",
        ToolErrorKind::RateLimited => "RATE_LIMITED",
        ToolErrorKind::Provider => "PROVIDER",
        ToolErrorKind::Network => "NETWORK",
        ToolErrorKind::Other => code::TOOL_FAILED,
    }
}

/// A failed result as `rig` reports failures. What policy refused is a refusal there, too; what it
/// took back after the body had run is a permission error, since the body did run.
pub(crate) fn error_for_rig(result: &ToolResult, error: &ToolError) -> ToolExecutionError {
    let refused = matches!(
        error.code(),
        code::DENIED | code::APPROVAL_REJECTED | code::APPROVAL_UNAVAILABLE
    );
    let failure = if refused {
        ToolExecutionError::refused(error.message())
    } else {
        ToolExecutionError::new(kind(error.code()), error.message())
    };
    failure
        .with_code(error.code().to_owned())
        .with_source(error.clone())
        .with_model_output(blocks(result))
}

/// A failure of a `rig` tool as a failure of ours.
///
/// Its text is what `rig` shows to models. The message is for operators: it may hold what the tool's
/// author did not want to be read by a model, so it goes to the log.
pub(crate) fn error_from_rig(error: &ToolExecutionError) -> ToolError {
    tracing::debug!(error = error.message(), kind = %error.kind(), "a rig tool failed");
    let text = error.model_output().render();
    // As a model reads it, a failure of ours begins with this word. It is written once.
    let text = text.strip_prefix("Error: ").unwrap_or(&text);
    let own = error.code().filter(|own| kind(own) == error.kind());
    let code = match own {
        Some(own) => own.to_owned(),
        None => code_of(error).to_owned(),
    };
    ToolError::new(text).with_code(code)
}
