// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The capacities of a queue pair (`struct ibv_qp_cap`, man ibv_create_qp(3)).
///
/// In a request, the numbers are minima. In a response, the kernel reports the numbers: rxe on Linux 6.1 repeats the
/// requested numbers of work requests, and later kernels report the rings' capacities.
///
/// @param maxSendWorkRequests outstanding send work requests
/// @param maxReceiveWorkRequests outstanding receive work requests; 0 with a shared receive queue
/// @param maxSendScatterGather scatter/gather elements of a send work request
/// @param maxReceiveScatterGather scatter/gather elements of a receive work request
/// @param maxInlineData maximum number of inline bytes of a send work request
public record QueuePairCapabilities(
        int maxSendWorkRequests,
        int maxReceiveWorkRequests,
        int maxSendScatterGather,
        int maxReceiveScatterGather,
        int maxInlineData) {
    /// Checks that no value is negative.
    ///
    /// @throws IllegalArgumentException if a value is negative
    public QueuePairCapabilities {
        Ranges.check("maxSendWorkRequests", maxSendWorkRequests, 0, Integer.MAX_VALUE);
        Ranges.check("maxReceiveWorkRequests", maxReceiveWorkRequests, 0, Integer.MAX_VALUE);
        Ranges.check("maxSendScatterGather", maxSendScatterGather, 0, Integer.MAX_VALUE);
        Ranges.check("maxReceiveScatterGather", maxReceiveScatterGather, 0, Integer.MAX_VALUE);
        Ranges.check("maxInlineData", maxInlineData, 0, Integer.MAX_VALUE);
    }
}
