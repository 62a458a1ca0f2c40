// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe.quirks;

import io.verbs4j.types.QueuePairCapabilities;

/// Requests at least one buffer per send.
///
/// Without one, the kernel reports a capacity of inline data, but accepts none: the check in `rxe_requester`
/// (rxe_req.c) fails for every work request with a payload.
public final class InlineWithoutElements {
    private InlineWithoutElements() {}

    /// Returns the capacities to request.
    public static QueuePairCapabilities avoid(QueuePairCapabilities wanted) {
        return new QueuePairCapabilities(
                wanted.maxSendWorkRequests(),
                wanted.maxReceiveWorkRequests(),
                Math.max(wanted.maxSendScatterGather(), 1),
                wanted.maxReceiveScatterGather(),
                wanted.maxInlineData());
    }
}
