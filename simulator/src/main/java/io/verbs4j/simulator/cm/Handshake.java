// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.simulator.cm.CmIdentifier.State;
import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.types.Errno;
import org.jspecify.annotations.Nullable;

/// The part of an identifier that communicates with its peer. It executes the program's commands, and turns results of
/// the [Conversation] into events.
final class Handshake {
    /// Maximum private data of a request, beyond the kernel's own 36 bytes.
    private static final int CONNECT_DATA = 56;
    private static final int QUESTION_DATA = 180;

    private final CmIdentifier identifier;
    private final ConnectionManager manager;
    private @Nullable Conversation conversation;
    private int backlog;

    Handshake(CmIdentifier identifier, ConnectionManager manager) {
        this.identifier = identifier;
        this.manager = manager;
    }

    /// Returns the conversation; null before it has begun.
    @Nullable
    Conversation conversation() {
        return conversation;
    }

    private Conversation begin() {
        var begun = new Conversation(this, identifier, manager);
        conversation = begun;
        return begun;
    }

    /// Starts to accept requests. An identifier with a device listens there (`cma_ib_listen`).
    void listen(int most) {
        backlog = most;
        if (identifier.hasDevice()) {
            begin().listen();
        }
    }

    void leave() {
        Conversation current = conversation;
        if (current != null) {
            current.leave();
        }
    }

    /// Sends a request to the peer (`rdma_connect`).
    void connect(CView parameters) {
        identifier.require(State.ROUTE_RESOLVED);
        Terms terms = Terms.of(parameters, identifier.psn);
        byte[] data = Terms.padded(terms.data().bytes(), identifier.isOfDatagrams() ? QUESTION_DATA : CONNECT_DATA);
        identifier.state(State.CONNECTING);
        Conversation asking = begin();
        asking.ask(terms, data);
    }

    /// Handles a peer's request (`cma_ib_req_handler`).
    ///
    /// @return null if the backlog is full
    @Nullable
    Conversation request(Conversation asker, Terms terms, byte[] data) {
        if (backlog <= 0) {
            return null;
        }
        backlog--;
        var incoming = new CmIdentifier(identifier, asker.identifier());
        Conversation answering = incoming.handshake.begin();
        answering.requested(asker, terms);
        long name = identifier.name();
        byte[] record = identifier.isOfDatagrams()
                ? CmEvents.datagramData(name, incoming.number, CmEventCode.CONNECT_REQUEST, data)
                : CmEvents.connection(name, incoming.number, CmEventCode.CONNECT_REQUEST, 0,
                        parameters -> terms.describeTo(parameters, data));
        identifier.file().post(identifier, incoming, record, () -> {
            backlog++;
            identifier.countReported();
        });
        return answering;
    }

    private Conversation talking() {
        Conversation current = conversation;
        if (current == null) {
            throw new Refusal(Errno.EINVAL);
        }
        return current;
    }

    /// Accepts the request that created the identifier (`rdma_accept`). If this fails, the request is rejected, too.
    void accept(long name, CView parameters) {
        identifier.require(State.CONNECTING);
        Conversation current = talking();
        try {
            Terms terms = Terms.of(parameters, identifier.psn);
            if (identifier.isOfDatagrams()) {
                int qkey = parameters.getInt("qkey");
                current.answer(terms, qkey == 0 ? CmIdentifier.QKEY : qkey, terms.data().bytes());
            } else {
                current.reply(terms);
            }
            identifier.name(name);
        } catch (Refusal refusal) {
            rejectQuietly(current);
            throw refusal;
        }
    }

    /// Confirms the peer's acceptance.
    void confirm() {
        identifier.require(State.CONNECTING);
        Conversation current = talking();
        try {
            if (identifier.isOfDatagrams()) {
                current.answer(null, 0, Conversation.NO_DATA);
            } else {
                current.confirm();
            }
        } catch (Refusal refusal) {
            rejectQuietly(current);
            throw refusal;
        }
    }

    private void rejectQuietly(Conversation current) {
        try {
            reject(current, 0, Conversation.NO_DATA);
        } catch (Refusal refusal) {
            // There is nothing to reject.
        }
    }

    /// Rejects the request that created the identifier.
    void reject(int reason, byte[] data) {
        reject(talking(), reason, data);
    }

    private void reject(Conversation current, int reason, byte[] data) {
        if (identifier.isOfDatagrams()) {
            current.answer(null, 0, data);
        } else {
            current.reject(reason == 0 ? Conversation.BY_PROGRAM : reason, data);
        }
    }

    /// Ends the connection (`rdma_disconnect`).
    void disconnect() {
        talking().end();
    }

    /// Treats arrived data as the peer's confirmation (`rdma_notify`).
    void dataArrived() {
        talking().dataArrived();
    }

    void established() {
        identifier.event(CmEventCode.ESTABLISHED, 0);
    }

    void answered(Terms terms, byte[] data) {
        identifier.post(CmEvents.connection(identifier.name(), identifier.number, CmEventCode.CONNECT_RESPONSE, 0,
                parameters -> terms.describeTo(parameters, data)));
    }

    void rejected(int reason, byte[] data) {
        identifier.post(CmEvents.data(identifier.name(), identifier.number, CmEventCode.REJECTED, reason, data));
    }

    void unreachable(int status) {
        identifier.event(CmEventCode.UNREACHABLE, status);
    }

    void disconnected(int status) {
        if (identifier.state() == State.CONNECTING) {
            identifier.state(State.DISCONNECTED);
            identifier.event(CmEventCode.DISCONNECTED, status);
        }
    }

    void timeWaitOver() {
        identifier.event(CmEventCode.TIMEWAIT_EXIT, 0);
    }

    /// Answers with a datagram destination.
    void datagramsGo(int queuePair, int qkey, byte[] data) {
        identifier.post(
                CmEvents.datagrams(identifier.name(), identifier.number, CmEventCode.ESTABLISHED, queuePair, qkey,
                        identifier.path(IpAddresses.address(identifier.remote())), data));
    }
}
