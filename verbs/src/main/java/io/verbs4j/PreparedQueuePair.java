// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.RingReading;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A queue pair in INIT: its endpoint can be sent to the peer and receives can be posted, but no sends. Connecting it
/// returns the [QueuePair] itself, which the caller then has to close. After that, this object has no function.
public final class PreparedQueuePair implements AutoCloseable {
    /// Creates the attributes of the transition to RTR.
    interface ReadyToReceive {
        QueuePairAttributes attributes(GidSelection own, Mtu mtu, @Nullable QueuePairEndpoint remote);
    }

    private final QueuePair queuePair;
    private final QueuePairEndpoint endpoint;
    private final GidSelection gidSelection;
    private final ReadyToReceive readyToReceive;
    private final Supplier<QueuePairAttributes> readyToSend;
    /// The peer that the queue pair receives from, once it is in RTR.
    private @Nullable QueuePairEndpoint peer;

    private boolean handedOver;

    PreparedQueuePair(
            QueuePair queuePair,
            QueuePairEndpoint endpoint,
            GidSelection gidSelection,
            ReadyToReceive readyToReceive,
            Supplier<QueuePairAttributes> readyToSend) {
        this.queuePair = queuePair;
        this.endpoint = endpoint;
        this.gidSelection = gidSelection;
        this.readyToReceive = readyToReceive;
        this.readyToSend = readyToSend;
    }

    /// Returns the endpoint at which the peer reaches this queue pair. Send it to the peer by any means.
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
    /// that is not in RTR yet drops incoming packets. A reliable connection repeats them until its retries are used up
    /// and then fails; an unreliable one loses them. Therefore a barrier has to follow: each end notifies the other
    /// that it is connected, and waits for the other's notification. [SocketExchange#connect(PreparedQueuePair)]
    /// exchanges the endpoints, connects and includes the barrier. With the connection manager, it is built in.
    ///
    /// @param remote the peer's `endpoint()`
    /// @return the connected queue pair
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses; the queue pair stays open and this can be called
    ///     again
    /// @throws IllegalStateException if it is already connected, or an earlier call brought it to RTR with another peer
    public QueuePair connect(QueuePairEndpoint remote) {
        if (queuePair.type() == QueuePairType.UD) {
            throw new IllegalStateException(queuePair + " has no single peer: use start()");
        }
        return start(remote);
    }

    /// Makes a datagram queue pair ready: INIT → RTR → RTS.
    ///
    /// @return the working queue pair
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses; the queue pair stays open and this can be called
    ///     again
    /// @throws IllegalStateException if it is already started
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
            queuePair.states.change(readyToReceive.attributes(gidSelection, endpoint.mtu(), remote));
            peer = remote;
        } else if (!Objects.equals(peer, remote)) {
            throw new IllegalStateException(queuePair + " receives from " + peer + " already, remote=" + remote);
        }
        queuePair.modify(readyToSend.get());
        handedOver = true;
        return queuePair;
    }

    /// Closes the queue pair, unless it was connected.
    @Override
    public void close() {
        if (!handedOver) {
            queuePair.close();
        }
    }
}
