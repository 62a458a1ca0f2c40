// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.simulator.engine.Alarm;
import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.types.Errno;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One end of a message exchange: `struct cm_id_private` (cm.c). It reports the outcome to its identifier.
final class Conversation {
    /// The states of `enum ib_cm_state`, without those of requests for more time.
    enum State {
        IDLE, LISTENING, REQUEST_SENT, REQUEST_RECEIVED, REPLY_SENT, REPLY_RECEIVED, ESTABLISHED, END_SENT,
        END_RECEIVED,
        TIME_WAIT, QUESTION_SENT, QUESTION_RECEIVED
    }

    // Reasons of rejections (IBA volume 1, 12.6.7.2).
    static final int TIMED_OUT = 4;
    static final int NO_LISTENER = 8;
    static final int STALE = 10;
    static final int BY_PROGRAM = 28;

    // Answers to a question for datagrams (IBA volume 1, 12.11.1).
    static final int NO_SERVICE = 1;
    static final int REFUSED = 2;

    static final int ACCEPT_DATA = 196;
    static final int REJECT_DATA = 148;
    static final int ANSWER_DATA = 136;
    static final byte[] NO_DATA = {};

    /// Time after which an unanswered message is repeated: 4.3 s for the peer's program, plus the round trip.
    private static final long RETRY_NANOS = 4_800_000_000L;
    private static final int TRIES = 16;
    /// Time that a peer's kernel requests on behalf of its program: 4.096 µs · 2^24.
    private static final long EXTENSION_NANOS = 68_700_000_000L;

    private static final Set<State> REJECTABLE = EnumSet.of(
            State.REQUEST_SENT, State.REQUEST_RECEIVED, State.REPLY_SENT, State.REPLY_RECEIVED);

    private final Handshake handshake;
    private final CmIdentifier identifier;
    private final ConnectionManager manager;
    private final Alarm timer;
    private State state = State.IDLE;
    private int tries;
    private byte[] request = NO_DATA;
    private @Nullable Terms own;
    private @Nullable Terms theirs;
    private @Nullable Conversation peer;
    private @Nullable RemoteQueuePair remembered;

    /// A queue pair of a peer. At most one conversation may use a queue pair at the same time.
    record RemoteQueuePair(long deviceGuid, int number) {}

    Conversation(Handshake handshake, CmIdentifier identifier, ConnectionManager manager) {
        this.handshake = handshake;
        this.identifier = identifier;
        this.manager = manager;
        this.timer = manager.environment.simulation().alarm(this::timeIsUp);
    }

    State state() {
        return state;
    }

    CmIdentifier identifier() {
        return identifier;
    }

    /// Returns the terms of this end; null if it has not sent any.
    @Nullable
    Terms own() {
        return own;
    }

    /// Returns the terms of the peer; null if none have arrived.
    @Nullable
    Terms theirs() {
        return theirs;
    }

    void listen() {
        state = State.LISTENING;
    }

    private void send(Conversation to, Consumer<Conversation> message) {
        identifier.carry(() -> message.accept(to));
    }

    private void toPeer(Consumer<Conversation> message) {
        Conversation known = peer;
        if (known != null) {
            send(known, message);
        }
    }

    /// Requests a connection or a datagram destination.
    void ask(Terms terms, byte[] data) {
        own = terms;
        state = identifier.isOfDatagrams() ? State.QUESTION_SENT : State.REQUEST_SENT;
        request = data;
        tries = 1;
        sendRequest();
    }

    private void sendRequest() {
        timer.set(RETRY_NANOS);
        Terms terms = own;
        byte[] data = request;
        ConnectionManager there = identifier.managerOfPeer();
        if (there != null && terms != null) {
            identifier.carry(() -> there.request(this, terms, data));
        }
    }

    /// Handles the request of the peer's kernel for more time.
    void taken() {
        if (state == State.REQUEST_SENT || state == State.QUESTION_SENT) {
            tries = TRIES;
            timer.set(EXTENSION_NANOS + TRIES * RETRY_NANOS);
        }
    }

    private void timeIsUp() {
        switch (state) {
            case REQUEST_SENT, QUESTION_SENT -> {
                if (tries++ < TRIES) {
                    sendRequest();
                } else {
                    state = State.IDLE;
                    handshake.unreachable(-Errno.ETIMEDOUT);
                }
            }
            case REPLY_SENT -> {
                reset();
                handshake.unreachable(-Errno.ETIMEDOUT);
            }
            case END_SENT -> {
                waitForStragglers();
                handshake.disconnected(-Errno.ETIMEDOUT);
            }
            case TIME_WAIT -> {
                reset();
                handshake.timeWaitOver();
            }
            default -> {
                // No more answers are expected.
            }
        }
    }

    /// Handles a peer's request.
    void requested(Conversation asker, Terms terms) {
        peer = asker;
        theirs = terms;
        state = identifier.isOfDatagrams() ? State.QUESTION_RECEIVED : State.REQUEST_RECEIVED;
        if (!identifier.isOfDatagrams()) {
            remember(asker, terms);
        }
        send(asker, Conversation::taken);
    }

    private void remember(Conversation other, Terms terms) {
        var number = new RemoteQueuePair(other.identifier.deviceGuid(), terms.queuePair());
        manager.remember(number);
        remembered = number;
    }

    /// Accepts the request.
    void reply(Terms terms) {
        Refusal.unless(state == State.REQUEST_RECEIVED, Errno.EINVAL);
        byte[] data = Terms.padded(terms.data().bytes(), ACCEPT_DATA);
        own = terms;
        state = State.REPLY_SENT;
        timer.set(EXTENSION_NANOS + TRIES * RETRY_NANOS);
        toPeer(other -> other.replied(this, terms, data));
    }

    private void replied(Conversation from, Terms terms, byte[] data) {
        if (state != State.REQUEST_SENT) {
            return; // the peer has disconnected, and its rejection is in flight
        }
        peer = from;
        theirs = terms;
        if (manager.remembers(new RemoteQueuePair(from.identifier.deviceGuid(), terms.queuePair()))) {
            reset();
            send(from, other -> other.rejected(STALE, new byte[REJECT_DATA]));
            handshake.rejected(STALE, new byte[REJECT_DATA]);
            return;
        }
        remember(from, terms);
        timer.cancel();
        state = State.REPLY_RECEIVED;
        handshake.answered(terms, data);
    }

    /// Confirms the peer's acceptance.
    void confirm() {
        Refusal.unless(state == State.REPLY_RECEIVED, Errno.EINVAL);
        state = State.ESTABLISHED;
        toPeer(Conversation::confirmed);
    }

    private void confirmed() {
        if (state == State.REPLY_SENT) {
            timer.cancel();
            state = State.ESTABLISHED;
            handshake.established();
        }
    }

    /// Treats arrived data as the peer's confirmation (`ib_cm_notify`).
    void dataArrived() {
        Refusal.when(state == State.ESTABLISHED, Errno.EISCONN);
        Refusal.unless(state == State.REPLY_SENT, Errno.EINVAL);
        confirmed();
    }

    /// Rejects the request in progress.
    ///
    /// @throws Refusal if there is none
    void reject(int reason, byte[] data) {
        byte[] padded = Terms.padded(data, REJECT_DATA);
        Refusal.unless(REJECTABLE.contains(state), Errno.EINVAL);
        if (state == State.REPLY_SENT) {
            waitForStragglers();
        } else {
            reset();
        }
        toPeer(other -> other.rejected(reason, padded));
    }

    /// Handles a rejection.
    void rejected(int reason, byte[] data) {
        if (REJECTABLE.contains(state)) {
            if (state == State.REPLY_RECEIVED) {
                waitForStragglers();
            } else {
                reset();
            }
            handshake.rejected(reason, data);
        }
    }

    /// Answers a datagram request with a destination or a refusal.
    ///
    /// @param terms null to refuse
    void answer(@Nullable Terms terms, int qkey, byte[] data) {
        byte[] padded = Terms.padded(data, ANSWER_DATA);
        Refusal.unless(state == State.QUESTION_RECEIVED, Errno.EINVAL);
        reset();
        if (terms == null) {
            toPeer(other -> other.denied(REFUSED));
        } else {
            toPeer(other -> other.learnsWay(terms.queuePair(), qkey, padded));
        }
    }

    private void learnsWay(int queuePair, int qkey, byte[] data) {
        if (state == State.QUESTION_SENT) {
            reset();
            handshake.datagramsGo(queuePair, qkey, data);
        }
    }

    /// Handles the refusal of a datagram destination.
    void denied(int status) {
        if (state == State.QUESTION_SENT) {
            reset();
            handshake.unreachable(status);
        }
    }

    /// Ends the connection, or answers the peer's disconnect request (`rdma_disconnect`, cma.c, ignores both results).
    void end() {
        if (state == State.ESTABLISHED) {
            state = State.END_SENT;
            timer.set(TRIES * RETRY_NANOS);
            toPeer(Conversation::ended);
        } else if (state == State.END_RECEIVED) {
            waitForStragglers();
            toPeer(Conversation::endAnswered);
        }
    }

    private void ended() {
        switch (state) {
            case ESTABLISHED, REPLY_SENT, END_SENT -> {
                timer.cancel();
                state = State.END_RECEIVED;
                handshake.disconnected(0);
            }
            case TIME_WAIT -> toPeer(Conversation::endAnswered);
            default -> {
                // This end was never connected.
            }
        }
    }

    private void endAnswered() {
        if (state == State.END_SENT) {
            waitForStragglers();
            handshake.disconnected(0);
        }
    }

    /// Handles the destruction of its identifier (`cm_destroy_id`).
    void leave() {
        switch (state) {
            case REQUEST_SENT -> {
                reset();
                ConnectionManager there = identifier.managerOfPeer();
                if (there != null) {
                    identifier.carry(() -> there.withdraw(this));
                }
            }
            case REQUEST_RECEIVED, REPLY_SENT, REPLY_RECEIVED -> reject(BY_PROGRAM, NO_DATA);
            case QUESTION_RECEIVED -> answer(null, 0, NO_DATA);
            case ESTABLISHED -> {
                end();
                waitForStragglers();
            }
            case END_RECEIVED -> end();
            case END_SENT -> waitForStragglers();
            case TIME_WAIT -> {
                // The peer's queue pair number stays remembered until this state ends.
            }
            case IDLE, LISTENING, QUESTION_SENT -> reset();
        }
    }

    private void waitForStragglers() {
        state = State.TIME_WAIT;
        timer.set(identifier.timeWait());
    }

    private void reset() {
        state = State.IDLE;
        timer.cancel();
        RemoteQueuePair number = remembered;
        if (number != null) {
            manager.forget(number);
            remembered = null;
        }
        Conversation asker = peer;
        if (asker != null) {
            manager.done(asker);
        }
    }
}
