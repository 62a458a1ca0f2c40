// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.engine.Task;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A queue pair: its rings, attributes and state, and its requester, completer and responder (`struct rxe_qp`,
/// rxe_verbs.h).
public final class QueuePair {
    /// Size of a send's element without payload.
    private static final int SEND_HEAD = Formats.SEND.size();
    /// Maximum number of consecutive steps, as in the kernel's tasks (`RXE_MAX_ITERATIONS`, rxe_param.h).
    private static final int ROUNDS = 1024;
    /// No packet of a message was sent or received yet.
    static final int NONE = -1;

    /// The parts of a queue pair.
    ///
    /// @param domain its protection domain
    /// @param shared its shared receive queue, or null
    /// @param events receives its events
    public record Shape(
            QueuePairType type,
            Domain domain,
            CompletionQueue sendQueue,
            CompletionQueue receiveQueue,
            @Nullable SharedReceives shared,
            int sends,
            int sendElements,
            int inline,
            int receives,
            int receiveElements,
            boolean signalAll,
            Consumer<AsyncEventType> events) {}

    final RxeDevice device;
    final int number;
    final Shape shape;
    final Ring sends;
    final @Nullable Ring receives;
    /// Size of the payload after a send's element.
    final int sendRoom;
    final Requester requester;
    final Completer completer;
    final Responder responder;
    final ArrayDeque<Packet> requests = new ArrayDeque<>();
    final ArrayDeque<Packet> answers = new ArrayDeque<>();

    // Attributes.
    QueuePairState state = QueuePairState.RESET;
    final Attributes attributes = new Attributes();
    int qkey;
    int mtu = 256;
    @Nullable Path path;
    boolean draining;

    private final Task sending = this::runSender;
    private boolean sendsLater;
    private boolean byTimer;
    private final Task receiving = this::runReceiver;
    private boolean senderReady;
    private boolean receiverReady;
    private boolean ended;

    QueuePair(RxeDevice device, int number, Shape shape) {
        this.device = device;
        this.number = number;
        this.shape = shape;
        sendRoom = Math.max(shape.sendElements() * Formats.ELEMENT.size(), shape.inline());
        sends = new Ring(shape.sends(), SEND_HEAD + sendRoom, false);
        receives = shape.shared() == null
                ? new Ring(shape.receives(), SharedReceives.size(shape.receiveElements()), false)
                : null;
        requester = new Requester(this);
        completer = new Completer(this);
        responder = new Responder(this);
    }

    /// Returns the number.
    public int number() {
        return number;
    }

    /// Returns its parts.
    public Shape shape() {
        return shape;
    }

    /// Returns the state.
    public QueuePairState state() {
        return state;
    }

    /// Returns the attributes.
    public Attributes attributes() {
        return attributes;
    }

    /// Returns the path to the peer; null before there is a peer.
    public @Nullable Path path() {
        return path;
    }

    /// Returns the send ring.
    public Ring sends() {
        return sends;
    }

    /// Returns the receive ring; null for a queue pair with a shared receive queue.
    public @Nullable Ring receives() {
        return receives;
    }

    /// Returns the maximum number of elements of a send.
    public int maxSendElements() {
        return sendRoom / Formats.ELEMENT.size();
    }

    /// Returns the maximum number of bytes of inline data.
    public int maxInline() {
        return sendRoom;
    }

    /// Returns whether the send queue is draining.
    public boolean isDraining() {
        return draining;
    }

    /// Returns the PSN of the next request.
    public int sendPsn() {
        return requester.psn;
    }

    /// Returns the PSN of the peer's next request.
    public int receivePsn() {
        return responder.psn;
    }

    Simulation simulation() {
        return device.simulation();
    }

    /// Rings the doorbell.
    public void ring() {
        wakeSender();
    }

    void arrived(Packet packet) {
        if (packet.is(Opcode.REQUEST)) {
            requests.add(packet);
            wakeReceiver();
        } else {
            answers.add(packet);
            device.count(Counter.ACK_DEFERRED);
            wakeSender();
        }
    }

    /// Wakes the sender after a timer fired. The sender then runs in the softirq, where a kernel handles no arriving
    /// packets between two sent packets.
    void wakeSenderByTimer() {
        byTimer = true;
        wakeSender();
    }

    void wakeSender() {
        if (!senderReady && !ended) {
            senderReady = true;
            simulation().add(sending);
        }
    }

    void wakeReceiver() {
        if (!receiverReady && !ended) {
            receiverReady = true;
            if (device.has(Behaviour.PEERS_ANSWER_BETWEEN_PACKETS)) {
                simulation().addFirst(receiving);
            } else {
                simulation().add(receiving);
            }
        }
    }

    private void runSender() {
        senderReady = false;
        boolean atOnce = byTimer;
        byTimer = false;
        if (device.has(Behaviour.PEERS_ANSWER_BETWEEN_PACKETS) && !atOnce) {
            runSenderPacketByPacket();
            return;
        }
        for (int i = 0; i < ROUNDS && !ended; i++) {
            boolean requested = requester.step();
            boolean completed = completer.step();
            if (!requested && !completed) {
                return;
            }
        }
        wakeSender();
    }

    /// Runs the sender, alternating with the completer. After a local operation, the kernel's thread for local
    /// operations is awake. That thread handles all arriving packets when the current task ends.
    private void runSenderPacketByPacket() {
        boolean completed;
        boolean requested;
        do {
            completed = completer.step();
            requested = requester.step();
        } while ((requested ? requester.ranLocally : completed) && !ended);
        if (!requested) {
            requester.ranLocally = false;
        } else if (!sendsLater) {
            sendsLater = true;
            simulation().addLast(() -> {
                sendsLater = false;
                wakeSender();
            });
        }
    }

    private void runReceiver() {
        receiverReady = false;
        for (int i = 0; i < ROUNDS && !ended; i++) {
            if (!responder.step()) {
                return;
            }
        }
        wakeReceiver();
    }

    /// Returns whether a packet comes from the peer of this queue pair. Datagrams may come from any queue pair.
    boolean isPeer(Packet packet) {
        Path current = path;
        return shape.type() == QueuePairType.UD
                || (current != null
                        && current.source().equals(packet.destination)
                        && current.destination().equals(packet.source));
    }

    /// Moves to ERR, and flushes outstanding work requests.
    public void fail() {
        state = QueuePairState.ERR;
        wakeReceiver();
        wakeSender();
    }

    /// Moves to another state.
    public void move(QueuePairState to) {
        boolean drained = state == QueuePairState.SQD && !draining;
        state = to;
        switch (to) {
            case RESET -> reset();
            case SQD -> {
                draining = !drained || !device.has(Behaviour.DRAINS_ONCE);
                wakeSender();
            }
            case ERR -> fail();
            default -> {}
        }
    }

    /// Drops all outstanding work requests without completions.
    private void reset() {
        draining = false;
        requester.step();
        completer.step();
        responder.step();
        sends.clear();
        if (receives != null) {
            receives.clear();
        }
        requester.reset();
        completer.reset();
        responder.reset();
    }

    /// Raises an event.
    void report(AsyncEventType event) {
        shape.events().accept(event);
    }

    /// Stops all activity of the queue pair.
    void end() {
        ended = true;
        requests.clear();
        answers.clear();
        completer.retransmission.end();
    }

    /// The attributes that a queue pair only stores (`struct ib_qp_attr`).
    public static final class Attributes {
        /// Code of the path MTU.
        public int pathMtu = 1;
        /// Path migration state.
        public int migration;
        /// Initial PSN of the peer.
        public int receivePsn;
        /// Initial PSN of this end.
        public int sendPsn;
        /// The peer's number.
        public int destination;
        /// Access rights of the peer.
        public int access;
        /// Index of the P_Key.
        public int pkeyIndex;
        /// Maximum number of own concurrent reads and atomics.
        public int reads;
        /// Maximum number of the peer's concurrent reads and atomics.
        public int incomingReads;
        /// Code of the time that a peer waits when this end is not ready.
        public int rnrTimer;
        /// The local port.
        public int port;
        /// Exponent of the acknowledgement timeout.
        public int timeout;
        /// Retry count.
        public int retries;
        /// Retry count for a peer that is not ready.
        public int rnrRetries;
    }

    /// Sets the Q_Key.
    public void qkey(int key) {
        qkey = key;
    }

    /// Returns the Q_Key.
    public int qkey() {
        return qkey;
    }

    /// Sets the path.
    public void path(Path value) {
        path = value;
    }

    /// Sets the path MTU.
    ///
    /// @param code 1 to 5
    public void pathMtu(int code) {
        attributes.pathMtu = code;
        mtu = 128 << code;
    }

    /// Sets the maximum number of own concurrent reads and atomics.
    public void reads(int count) {
        attributes.reads = count;
        requester.credits = count;
    }

    /// Sets the maximum number of the peer's concurrent reads and atomics.
    public void incomingReads(int count) {
        attributes.incomingReads = count;
        responder.makeRoom(count);
    }

    /// Sets the acknowledgement timeout.
    public void timeout(int exponent) {
        attributes.timeout = exponent;
        completer.retransmission.timeout(exponent);
    }

    /// Sets the retry count.
    public void retries(int count) {
        attributes.retries = count;
        completer.retransmission.retries(count);
    }

    /// Sets the retry count for a peer that is not ready.
    public void rnrRetries(int count) {
        attributes.rnrRetries = count;
        completer.retransmission.rnrRetries(count);
    }

    /// Sets the initial PSN of the peer.
    public void receivePsn(int psn) {
        attributes.receivePsn = psn & Packet.PSN_MASK;
        responder.psn = attributes.receivePsn;
    }

    /// Sets the initial PSN of this end.
    public void sendPsn(int psn) {
        attributes.sendPsn = psn & Packet.PSN_MASK;
        requester.psn = attributes.sendPsn;
        completer.psn = attributes.sendPsn;
    }
}
