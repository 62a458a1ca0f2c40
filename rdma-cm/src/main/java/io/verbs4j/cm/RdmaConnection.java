// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A reliable connection to an IP address. Thread-safe; may be closed at any time.
///
/// A connection has a [QueuePair] in RTS, a [CompletionQueue], and a [ProtectionDomain] to allocate memory from. If the
/// peer ends the connection, this end answers automatically: the queue pair moves to ERR, its receives complete as
/// flushed, and [#disconnected()] completes.
///
/// Either end may be a program in Java or in C. Connections use InfiniBand, RoCE or iWARP. Over iWARP, the connecting
/// end must send first.
public final class RdmaConnection implements AutoCloseable {
    private static final int STALE_ATTEMPTS = 8;
    /// The largest values of the fields, for the side that sends the request.
    static final ConnectionParameters MAXIMUM_OFFER = ConnectionParameters.DEFAULT.withReadAtomic(255, 255);

    private final Identifier identifier;
    private final ConnectionResources resources;
    private final QueuePairTransitions transitions;
    private final Disconnection disconnection;
    private final Duration drain;
    private final @Nullable Messages messages;
    private final ConnectionTeardown teardown;
    private volatile PrivateData peerData = PrivateData.NONE;

    /// Creates the [Messages] object if the options enable messages.
    private RdmaConnection(
            Identifier identifier,
            ConnectionOptions options,
            ConnectionResources resources,
            ConnectionTeardown teardown) {
        this.identifier = identifier;
        this.resources = resources;
        this.teardown = teardown;
        this.drain = options.drain();
        QueuePair queuePair = resources.queuePair();
        this.transitions = new QueuePairTransitions(identifier, queuePair);
        var disconnecting = new Disconnection(identifier, queuePair, transitions);
        this.disconnection = disconnecting;
        MessageTerms terms = options.messages();
        boolean plain = options.announcedMessages() == null;
        this.messages = terms == null
                ? null
                : teardown.make(
                        () -> new Messages(queuePair, resources.completionQueue(), terms, plain, options.drain(),
                                () -> !disconnecting.isConnected()),
                        Messages::close);
    }

    /// Connects with the default options.
    ///
    /// @see #connect(InetSocketAddress, ConnectionOptions)
    public static RdmaConnection connect(InetSocketAddress address) throws InterruptedException {
        return connect(address, ConnectionOptions.defaults());
    }

    /// Connects: resolves address and route, opens the device that leads there, creates a queue pair, requests the
    /// connection, and moves the queue pair to RTS. Suits virtual threads.
    ///
    /// @param address a resolved address; never 127.0.0.1 or ::1, because loopback addresses belong to no RDMA device
    /// @throws ConnectionRejectedException if no server listens there, or the peer rejects
    /// @throws VerbsException if anything else fails; the message names step, error number, cause and remedy.
    ///     `ETIMEDOUT` after the options' timeout, or earlier if the kernel gave up on a silent neighbour or peer;
    ///     `EPROTO` if the peer uses no messages, or a different message length
    /// @throws InterruptedException if the thread is interrupted while it waits; the attempt leaves no resources behind
    public static RdmaConnection connect(InetSocketAddress address, ConnectionOptions options)
            throws InterruptedException {
        return connect(address, options, Deadline.within(options.timeout()), STALE_ATTEMPTS - 1);
    }

    /// @param more maximum number of further attempts, if the peer still remembers the number of the queue pair
    private static RdmaConnection connect(
            InetSocketAddress address, ConnectionOptions options, long deadline, int more)
            throws InterruptedException {
        try (var teardown = new ConnectionTeardown()) {
            try {
                RdmaConnection connection = attempt(address, options, deadline, teardown);
                teardown.keep();
                return connection;
            } catch (ConnectionRejectedException e) {
                MessageTerms wanted = MessageTerms.in(e.privateData(), PrivateDataLimits.REJECT);
                if (wanted != null) {
                    throw new ConnectionRejectedException(e.operation(), e.status(), e.privateData(),
                            wanted.rejection(options.announcedMessages()));
                }
                if (more == 0 || !e.reason().equals(Optional.of(RejectReason.STALE_CONNECTION))) {
                    throw e;
                }
                // The queue pair stays open during the next attempt, so that the next queue pair gets another number.
                return connect(address, options, deadline, more - 1);
            }
        }
    }

    /// Connects in a virtual thread. Cancelling the future ends the attempt.
    public static CompletableFuture<RdmaConnection> connectAsync(InetSocketAddress address, ConnectionOptions options) {
        return Background.run(() -> connect(address, options));
    }

    private static RdmaConnection attempt(
            InetSocketAddress address, ConnectionOptions options, long deadline, ConnectionTeardown teardown)
            throws InterruptedException {
        Resolved resolved = Connector.open(
                PortSpace.TCP, "connect to " + Addresses.text(address), options, deadline, teardown)
                .resolve(address);
        Identifier identifier = resolved.identifier();
        var resources = ConnectionResources.open(
                identifier, options, () -> ConnectionResources.domain(identifier, options), teardown);
        var connection = new RdmaConnection(identifier, options, resources, teardown);
        ConnectionParameters offer = connection.prepare(options, PrivateDataLimits.CONNECT, MAXIMUM_OFFER);
        String operation = resolved.events().operation();
        switch (resolved.connect(
                resources.queuePair(), offer, CmEvent.class, "the peer's program has not accepted")) {
            case CmEvent.ConnectResponse response -> {
                connection.accepted(operation, options, response.parameters().privateData());
                connection.transitions.toReadyToSend();
                identifier.confirm();
            }
            case CmEvent.Established established -> { // over iWARP
                connection.accepted(operation, options, established.parameters().privateData());
                connection.transitions.established();
            }
            case CmEvent other ->
                throw new IllegalStateException("unexpected event while connecting: " + other);
        }
        resolved.events().handOver(connection.disconnection::on);
        return connection;
    }

    /// Runs the program's preparation, with the queue pair in INIT.
    ///
    /// @param limit maximum size of the private data in the connection manager's message
    /// @return the offer to the peer
    private ConnectionParameters prepare(ConnectionOptions options, int limit, ConnectionParameters most) {
        options.preparation().accept(this);
        Function<RdmaConnection, PrivateData> own = options.ownData();
        return transitions.offer(own == null ? options : options.withPrivateData(own.apply(this)), limit, most);
    }

    /// Handles the private data of the peer's acceptance.
    private void accepted(String operation, ConnectionOptions options, PrivateData data) {
        MessageTerms terms = options.announcedMessages();
        if (terms != null) {
            begin(terms.agree(operation, MessageTerms.in(data, PrivateDataLimits.ACCEPT)));
        }
        peerData = MessageTerms.without(data, PrivateDataLimits.ACCEPT);
    }

    private void begin(@Nullable MessageTerms theirs) {
        if (messages != null && theirs != null) {
            messages.begin(theirs.count());
        }
    }

    /// Returns the message terms that both ends have agreed on; null if neither end uses messages. Rejects a request
    /// with other terms.
    private static @Nullable MessageTerms agree(IncomingConnection incoming, String operation,
            ConnectionOptions options) {
        MessageTerms terms = options.announcedMessages();
        if (terms == null) {
            return null;
        }
        try {
            return terms.agree(operation, incoming.messages());
        } catch (VerbsException e) {
            Closing.allAfter(e, () -> incoming.identifier()
                    .reject(terms.appendTo(PrivateData.NONE, PrivateDataLimits.REJECT)));
            throw e;
        }
    }

    /// Accepts a request.
    static RdmaConnection accept(IncomingConnection incoming, ConnectionOptions options)
            throws InterruptedException {
        Identifier identifier = incoming.identifier();
        RdmaServer server = incoming.server();
        var events = new ConnectionEvents(
                null, "accept " + incoming, options.timeout(), Deadline.within(options.timeout()));
        try (var teardown = new ConnectionTeardown()) {
            server.join();
            teardown.add(server::leave);
            teardown.add(identifier::close);
            MessageTerms agreed = agree(incoming, events.operation(), options);
            identifier.attach(events);
            Connector.configure(identifier, options);
            var resources = ConnectionResources.open(
                    identifier, options, () -> server.domain(identifier, options), teardown);
            var connection = new RdmaConnection(identifier, options, resources, teardown);
            connection.peerData = incoming.privateData();
            connection.begin(agreed);
            ConnectionParameters answer = connection.prepare(options, PrivateDataLimits.ACCEPT, incoming.parameters());
            connection.transitions.toReadyToSend();
            identifier.accept(answer);
            events.await(
                    CmEvent.Established.class,
                    () -> Silence.explain(resources.queuePair(), "the peer has not confirmed"),
                    connection.transitions.confirmation());
            connection.transitions.established();
            events.handOver(connection.disconnection::on);
            teardown.keep();
            return connection;
        }
    }

    /// Returns the queue pair: in INIT during the preparation, in RTS afterwards.
    public QueuePair queuePair() {
        return resources.queuePair();
    }

    /// Returns the completion queue of sends and receives.
    public CompletionQueue completionQueue() {
        return resources.completionQueue();
    }

    /// Sets an action that runs after each event of the completion queue. It runs in a thread of verbs4j, or in the
    /// thread that handles the [watch][#watch]. The action must not wait, and must arm the queue again
    /// ([CompletionQueue#requestNotification]).
    ///
    /// @param failed called, perhaps more than once, if the kernel refuses to wait, so that no more events will arrive
    /// @throws IllegalStateException if the options specify no group, or another completion queue
    public void onCompletionEvent(Runnable handler, Consumer<VerbsException> failed) {
        resources.requireEvents().handle(handler, failed);
    }

    /// Returns whether the completion queue's events can be moved to a watch. False on a simulated device.
    ///
    /// @throws IllegalStateException as [#onCompletionEvent]
    public boolean isWatchable() {
        return resources.requireEvents().isWatchable();
    }

    /// Moves the completion queue's events to a watch. Requires [#isWatchable()]. One thread at a time may call this.
    ///
    /// @param watch null for the thread of verbs4j
    public void watch(@Nullable CompletionWatch watch) {
        resources.requireEvents().watch(watch);
    }

    /// Returns the protection domain to allocate memory from. If the domain belongs to the connection, closing the
    /// connection closes the domain, and memory of the domain must not be used afterwards. A server's domain stays open
    /// as long as the server or one of its connections is open.
    public ProtectionDomain protectionDomain() {
        return resources.queuePair().protectionDomain();
    }

    /// Returns the open device.
    public Context context() {
        return protectionDomain().context();
    }

    /// Returns the messages of this connection.
    ///
    /// @throws IllegalStateException if the options do not enable them
    /// @see ConnectionOptions#withMessages(int, int)
    public Messages messages() {
        if (messages == null) {
            throw new IllegalStateException(this + " has no messages; create it with ConnectionOptions.withMessages");
        }
        return messages;
    }

    /// Returns the identifier, for operations that this class does not offer.
    public Identifier identifier() {
        return identifier;
    }

    /// Returns the private data of the peer's request or acceptance.
    public PrivateData privateData() {
        return peerData;
    }

    /// Returns the local address and port.
    public InetSocketAddress localAddress() {
        return Addresses.present(identifier.addresses().local());
    }

    /// Returns the peer's address and port.
    public InetSocketAddress peerAddress() {
        return Addresses.present(identifier.addresses().peer());
    }

    /// Returns whether the connection is still established, as far as this end knows.
    public boolean isConnected() {
        return disconnection.isConnected();
    }

    /// Returns a future that completes when either end has ended the connection, or the device is gone. Actions that
    /// are added before the end run in a virtual thread, and may wait, connect or accept. Actions that are added later
    /// run at once, in the thread that adds them. Cancelling the future does not affect the connection.
    public CompletableFuture<Void> disconnected() {
        CompletableFuture<Void> ended = disconnection.future();
        return ended.isDone() ? ended.copy() : ended.thenRunAsync(() -> {}, Thread::startVirtualThread);
    }

    /// Adds an action that runs when the connection has ended, in the thread that has detected the end. Usually, this
    /// is a thread of verbs4j that also serves other connections. If the connection has ended before this call, the
    /// action runs at once. The action must not wait.
    public void onDisconnected(Runnable action) {
        CompletableFuture<Void> _ = disconnection.future().thenRun(action);
    }

    /// Ends the connection. Waits for outstanding sends, for at most the options' drain time. Then moves the queue pair
    /// to ERR and waits for the peer's answer. Completions can still be polled afterwards.
    public void disconnect() throws InterruptedException {
        long deadline = Deadline.within(drain);
        if (messages != null) {
            messages.awaitDelivery(deadline);
        }
        disconnection.disconnect(deadline);
    }

    /// Ends the connection. If the thread is interrupted, the connection may not have ended yet, and the interrupt
    /// status remains set.
    private void disconnectUnlessInterrupted() {
        try {
            disconnect();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends the connection if it has not ended, and closes all its resources. Idempotent.
    ///
    /// @throws VerbsException `ECONNRESET` if [messages][#messages()] of this end may not have reached the peer;
    ///     everything is closed nevertheless. Another error if the kernel refuses; the close can be repeated
    /// @throws IllegalStateException if this thread has a batch open, as in a handler of completions, or another thread
    ///     has one open for too long; the close can be repeated after the batch
    @Override
    public void close() {
        Closing.all(this::disconnectUnlessInterrupted, disconnection::abandon, teardown::end);
    }

    @Override
    public String toString() {
        return "connection of " + queuePair();
    }
}
