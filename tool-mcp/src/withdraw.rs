//! Requests to the other side that are withdrawn when nobody waits for them any more.

use rmcp::model::{CancelledNotification, CancelledNotificationParam, RequestId};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle, ServiceError, ServiceRole};

/// Sends a request. Dropping the future sends `notifications/cancelled`: what the other side does
/// for nobody should end.
///
/// `sent` is called between request and response, for whoever wants to hear of its progress.
pub(crate) async fn request<R: ServiceRole, G>(
    peer: &Peer<R>,
    request: R::Req,
    sent: impl FnOnce(&RequestHandle<R>) -> G,
) -> Result<R::PeerResp, ServiceError> {
    let handle = peer
        .send_request_with_option(request, PeerRequestOptions::no_options())
        .await?;
    let listening = sent(&handle);
    let mut withdraw = Withdraw {
        open: Some((peer.clone(), handle.id.clone())),
    };
    let response = handle.await_response().await;
    withdraw.open = None;
    drop(listening);
    response
}

struct Withdraw<R: ServiceRole> {
    open: Option<(Peer<R>, RequestId)>,
}

impl<R: ServiceRole> Drop for Withdraw<R> {
    fn drop(&mut self) {
        let Some((peer, id)) = self.open.take() else {
            return;
        };
        // Outside a runtime nobody is left to send it.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let reason = "the result is no longer wanted".to_owned();
        let params = CancelledNotificationParam::new(Some(id), Some(reason));
        let cancelled = CancelledNotification::new(params);
        runtime.spawn(async move {
            // It fails where the connection is gone, and then so is the request.
            let _gone = peer.send_notification(cancelled.into()).await;
        });
    }
}
