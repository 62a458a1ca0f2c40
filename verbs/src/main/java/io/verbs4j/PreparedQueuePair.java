// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.RingReading;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A queue pair in INIT. The program can send its endpoint to the peer and post receives, but cannot post sends.
/// Connecting returns the [QueuePair] itself, which the caller must close. After that, this object has no function. Not
/// thread-safe.
public final class PreparedQueuePair implements AutoCloseable {
    /// Creates the attributes of the transition to RTR.
    interface ReadyToReceive {
        QueuePairAttributes attributes(@Nullable QueuePairEndpoint remote);
    }

    private final QueuePair queuePair;
    private final QueuePairEndpoint endpoint;
    private final GidSelection gidSelection;
    private final ReadyToReceive readyToReceive;
    private final QueuePairAttributes readyToSend;
    /// The peer that the queue pair receives from, once it is in RTR.
    private @Nullable QueuePairEndpoint peer;

    private boolean handedOver;

    PreparedQueuePair(
            QueuePair queuePair,
            QueuePairEndpoint endpoint,
            GidSelection gidSelection,
            ReadyToReceive readyToReceive,
            QueuePairAttributes readyToSend) {
        this.queuePair = queuePair;
        this.endpoint = endpoint;
        this.gidSelection = gidSelection;
        this.readyToReceive = readyToReceive;
        this.readyToSend = readyToSend;
    }

    /// Returns the address of this queue pair, which the peer needs to connect. The program sends the address by any
    /// means, such as a TCP socket.
    public QueuePairEndpoint endpoint() {
        return endpoint;
    }

    /// Returns the GID that was chosen, and the reason.
    public GidSelection gidSelection() {
        return gidSelection;
    }

    /// Starts a batch of receives. Receives that are posted before connecting are certain to precede the peer's first
    /// message.
    public ReceiveBatch beginReceive() {
        return queuePair.beginReceive();
    }

    /// Reads the receive ring's state, as [QueuePair#readReceiveRing()] does.
    public Optional<RingReading> readReceiveRing() {
        return queuePair.readReceiveRing();
    }

    /// Connects to the peer: INIT → RTR → RTS. The kernel resolves the peer's link address during the call, which can
    /// take about a second.
    ///
    /// **Neither end may send before both are connected.** This call does not synchronize with the peer. A queue pair
    /// that is not in RTR yet drops incoming packets. A reliable connection retransmits dropped packets until its
    /// retries are used up, and then fails. An unreliable connection loses them. Therefore, a barrier must follow: each
    /// end notifies its peer that it is connected, and waits for the peer's notification.
    /// [SocketExchange#connect(PreparedQueuePair)] exchanges the endpoints, connects and includes the barrier. The
    /// kernel's connection manager has its own barrier.
    ///
    /// @param remote the peer's `endpoint()`
    /// @return the connected queue pair
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses; the queue pair stays open, and the call can be
    ///     repeated
    /// @throws IllegalStateException if the queue pair is for datagrams, is already connected, or was moved to RTR with
    ///     another peer by an earlier call
    public QueuePair connect(QueuePairEndpoint remote) {
        if (queuePair.type() == QueuePairType.UD) {
            throw new IllegalStateException(queuePair + " has no single peer: use start()");
        }
        return start(remote);
    }

    /// Makes a datagram queue pair ready: INIT → RTR → RTS.
    ///
    /// @return the queue pair, in RTS
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses; the queue pair stays open, and the call can be
    ///     repeated
    /// @throws IllegalStateException if the queue pair is not for datagrams, or is already started
    public QueuePair start() {
        if (queuePair.type() != QueuePairType.UD) {
            throw new IllegalStateException(queuePair + " needs a peer: use connect(remote)");
        }
        return start(null);
    }

    private QueuePair start(@Nullable QueuePairEndpoint remote) {
        if (handedOver) {
            throw new IllegalStateException(queuePair + " is connected already");
        }
        if (queuePair.state() != QueuePairState.RTR) {
            queuePair.states.change(readyToReceive.attributes(remote));
            peer = remote;
        } else if (!Objects.equals(peer, remote)) {
            throw new IllegalStateException(queuePair + " receives from " + peer + " already, remote=" + remote);
        }
        queuePair.modify(readyToSend);
        handedOver = true;
        return queuePair;
    }

    /// Closes the queue pair, unless it was connected or started.
    @Override
    public void close() {
        if (!handedOver) {
            queuePair.close();
        }
    }
}
