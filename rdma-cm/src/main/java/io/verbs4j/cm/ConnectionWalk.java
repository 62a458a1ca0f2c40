// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.QueuePair;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.VerbsException;
import java.util.Optional;
import java.util.OptionalInt;

/// Moves a queue pair along with its connection.
final class ConnectionWalk {
    private final Identifier identifier;
    private final QueuePair queuePair;
    private final boolean iwarp;

    ConnectionWalk(Identifier identifier, QueuePair queuePair) {
        this.identifier = identifier;
        this.queuePair = queuePair;
        this.iwarp = CmDevices.isIwarp(queuePair.protectionDomain().context().device());
    }

    /// Moves it to INIT: receives can be posted.
    void toInit() {
        queuePair.modify(identifier.attributes(QueuePairState.INIT));
    }

    /// Moves it to RTS, when the peer's answer or request is there. Over iWARP the kernel does so.
    void toReadyToSend() {
        if (!iwarp) {
            // Once more: only now the rights of the peer are known.
            queuePair.modify(identifier.attributes(QueuePairState.INIT));
            queuePair.modify(identifier.attributes(QueuePairState.RTR));
            queuePair.modify(identifier.attributes(QueuePairState.RTS));
        }
    }

    /// Returns what to do while the peer's confirmation is missing. It may be lost, and what the peer sends behind it arrives all the
    /// same: a receive that the device has used shows that the connection stands.
    Runnable confirmation() {
        OptionalInt start = usedReceives();
        return () -> {
            if (start.isPresent() && !usedReceives().equals(start)) {
                try {
                    identifier.notifyEstablished();
                } catch (VerbsException e) {
                    // The confirmation has come in between, or the attempt has ended: the event says which.
                    return;
                }
            }
        };
    }

    private OptionalInt usedReceives() {
        Optional<RingReading> ring = queuePair.readReceiveRing();
        return ring.isPresent() ? OptionalInt.of(ring.get().consumerIndex()) : OptionalInt.empty();
    }

    /// Notes that the kernel has moved it to RTS. A driver need not report that: siw does since Linux 6.2 or later.
    void established() {
        if (iwarp) {
            queuePair.noteState(QueuePairState.RTS);
        }
    }

    /// Stops it, before the end of the connection is sent or answered. Nothing is left to do if the device is gone or the queue pair
    /// closed.
    void stop() {
        move(iwarp ? QueuePairState.SQD : QueuePairState.ERR);
    }

    private void move(QueuePairState state) {
        try {
            queuePair.modify(QueuePairAttributes.builder().state(state).build());
        } catch (VerbsException | IllegalStateException e) {
            // In ERR by itself (then SQD is refused), gone with its device, or closed by another thread: it sends nothing more.
            return;
        }
    }

    /// Moves it to ERR when the connection has ended, so that whatever is posted from then on completes as flushed. Over RoCE
    /// [#stop()] has done so; over iWARP the kernel had to close the connection first.
    void ended() {
        if (iwarp) {
            move(QueuePairState.ERR);
        }
    }

    /// Returns what to offer the peer.
    ///
    /// @param dataLimit bytes of private data that the connection manager's message carries
    ConnectionParameters offer(ConnectionOptions options, int dataLimit, ConnectionParameters most) {
        DeviceAttributes limits = queuePair.protectionDomain().context().attributes();
        int incoming = Math.min(options.readAtomic(), limits.maxQueuePairReadAtomic());
        int outgoing = Math.min(options.readAtomic(), limits.maxQueuePairInitReadAtomic());
        return new ConnectionParameters(
                queuePair.number(),
                options.privateData(dataLimit),
                Math.min(incoming, most.responderResources()),
                Math.min(outgoing, most.initiatorDepth()),
                true,
                options.retryCount(),
                options.rnrRetry(),
                queuePair.sharedReceiveQueue() != null);
    }
}
