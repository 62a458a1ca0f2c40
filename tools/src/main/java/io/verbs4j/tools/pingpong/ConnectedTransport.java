// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairType;

/// RC or UC: one queue pair that is connected with one peer.
///
/// @param type the transport
/// @param devicePort the local port
/// @param mtu the path MTU of both ends
record ConnectedTransport(QueuePairType type, int devicePort, Mtu mtu) implements Transport {
    @Override
    public void check(Context context) {
        DeviceLimits.checkPathMtu(mtu, context, devicePort);
    }

    @Override
    public int headerBytes() {
        return 0;
    }

    /// Uses C's attributes except for the retries. C's value of 7 means no limit on rxe, so a dead peer would not be
    /// detected. UC has no retries, and the value is not passed to the kernel.
    @Override
    public QueuePairBuilder queuePair(ProtectionDomain domain, CompletionQueue queue) {
        return domain.queuePair(type, queue)
                .pathMtu(mtu)
                .access()
                .readAtomic(1)
                .minRnrTimer(12)
                .timeout(14)
                .retryCount(6)
                .rnrRetry(7);
    }

    @Override
    public Messages connect(
            ProtectionDomain domain, PreparedQueuePair prepared, PingPongAddress remote, MemoryRegion memory) {
        var queuePair = prepared.connect(new QueuePairEndpoint(
                remote.queuePairNumber(), remote.packetSequenceNumber(), remote.gid(), remote.lid(), mtu));
        return new ConnectedMessages(queuePair, memory);
    }
}
