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

/// Moves a queue pair through its states as the connection proceeds.
final class QueuePairTransitions {
    private final Identifier identifier;
    private final QueuePair queuePair;
    private final boolean iwarp;

    QueuePairTransitions(Identifier identifier, QueuePair queuePair) {
        this.identifier = identifier;
        this.queuePair = queuePair;
        this.iwarp = CmDevices.isIwarp(queuePair.protectionDomain().context().device());
    }

    /// Moves the queue pair to RTS after the peer's answer or request has arrived. Over iWARP the kernel does this.
    void toReadyToSend() {
        if (!iwarp) {
            // Modifies INIT again, because the peer's access rights are known only now.
            queuePair.modify(identifier.attributes(QueuePairState.INIT));
            queuePair.modify(identifier.attributes(QueuePairState.RTR));
            queuePair.modify(identifier.attributes(QueuePairState.RTS));
        }
    }

    /// Returns the action to run while the peer's confirmation is missing. The confirmation may be lost, although later
    /// packets of the peer arrive. A receive that the device has consumed therefore proves that the connection is
    /// established.
    Runnable confirmation() {
        OptionalInt start = usedReceives();
        return () -> {
            if (start.isPresent() && !usedReceives().equals(start)) {
                try {
                    identifier.notifyEstablished();
                } catch (VerbsException e) {
                    // The confirmation has arrived, or the attempt has ended. The event reports which.
                }
            }
        };
    }

    private OptionalInt usedReceives() {
        Optional<RingReading> ring = queuePair.readReceiveRing();
        return ring.isPresent() ? OptionalInt.of(ring.get().consumerIndex()) : OptionalInt.empty();
    }

    /// Records that the kernel has moved the queue pair to RTS, because some drivers do not report the new state. siw
    /// on Linux 6.1 does not report it. A later Linux release introduced this report.
    void established() {
        if (iwarp) {
            queuePair.noteState(QueuePairState.RTS);
        }
    }

    /// Stops the queue pair before this end sends or answers the disconnect request. Does nothing if the device is gone
    /// or the queue pair is closed.
    void stop() {
        move(iwarp ? QueuePairState.SQD : QueuePairState.ERR);
    }

    private void move(QueuePairState state) {
        try {
            queuePair.modify(QueuePairAttributes.builder().state(state).build());
        } catch (VerbsException | IllegalStateException e) {
            // The queue pair is in ERR (where SQD is refused), removed with its device, or closed by another thread. In
            // each case, it sends nothing more.
        }
    }

    /// Moves the queue pair to ERR after the connection has ended, so that later work requests complete as flushed.
    /// Over RoCE, [#stop()] has already done this. Over iWARP, the kernel has to close the connection first.
    void ended() {
        if (iwarp) {
            move(QueuePairState.ERR);
        }
    }

    /// Returns the offer to the peer.
    ///
    /// @param dataLimit maximum size of the private data in the connection manager's message
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
