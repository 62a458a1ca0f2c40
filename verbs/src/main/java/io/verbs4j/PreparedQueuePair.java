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

/// A queue pair in INIT: the peer can be given its address, receives can be posted, sends cannot. Connecting it yields the
/// [QueuePair] itself, which then has to be closed; this object then does nothing more.
public final class PreparedQueuePair implements AutoCloseable {
    /// Makes the attributes for the way to RTR.
    interface ReadyToReceive {
        QueuePairAttributes attributes(GidSelection own, Mtu mtu, @Nullable QueuePairEndpoint remote);
    }

    private final QueuePair queuePair;
    private final QueuePairEndpoint endpoint;
    private final GidSelection gidSelection;
    private final ReadyToReceive readyToReceive;
    private final Supplier<QueuePairAttributes> readyToSend;
    /// Whom it receives from, once it is in RTR.
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

    /// Returns the endpoint at which the peer finds this queue pair: to be sent there by any means.
    public QueuePairEndpoint endpoint() {
        return endpoint;
    }

    /// Returns the GID that was chosen, and the reason.
    public GidSelection gidSelection() {
        return gidSelection;
    }

    /// Starts a batch of receives; what is posted before connecting cannot come too late.
    public ReceiveBatch beginReceive() {
        return queuePair.beginReceive();
    }

    /// Looks at the receive ring, as [QueuePair#readReceiveRing()] does.
    public Optional<RingReading> readReceiveRing() {
        return queuePair.readReceiveRing();
    }

    /// Connects to the peer: INIT → RTR → RTS. The kernel resolves the peer's link address in that time, which can take about
    /// a second.
    ///
    /// **Neither end may send before both are connected.** This call says nothing about the peer: what reaches a queue pair
    /// that is not in RTR yet is dropped, a reliable connection repeats it until its retries are used up and then fails, an
    /// unreliable one loses it. So there has to be a barrier after it: each end says that it is connected, and waits for the other's word.
    /// [SocketExchange#connect(PreparedQueuePair)] exchanges the endpoints, connects and has that barrier; the connection manager
    /// has it built in.
    ///
    /// @param remote what the peer's `endpoint()` said
    /// @return the connected queue pair
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses; the queue pair stays open and this can be called again
    /// @throws IllegalStateException if it is connected already, or an earlier call brought it to RTR with another peer
    public QueuePair connect(QueuePairEndpoint remote) {
        if (queuePair.type() == QueuePairType.UD) {
            throw new IllegalStateException(queuePair + " has no single peer: use start()");
        }
        return start(remote);
    }

    /// Makes a datagram queue pair ready: INIT → RTR → RTS.
    ///
    /// @return the working queue pair
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses; the queue pair stays open and this can be called again
    /// @throws IllegalStateException if it works already
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
