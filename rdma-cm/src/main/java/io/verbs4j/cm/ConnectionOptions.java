// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Device;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.Ranges;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Options of a connection, for either end. Immutable; each method returns a changed copy.
public final class ConnectionOptions {
    /// Suffices for two JVMs that have just started in an emulated guest. Each JVM needs many seconds to load the
    /// classes for a connection.
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final ConnectionOptions DEFAULTS = new ConnectionOptions(new Values());

    /// The values of one options object. Written only while that object is created.
    private static final class Values implements Cloneable {
        Duration timeout = DEFAULT_TIMEOUT;
        Duration drain = Duration.ofSeconds(1);
        PrivateData privateData = PrivateData.NONE;
        @Nullable Function<RdmaConnection, PrivateData> ownData;
        @Nullable InetSocketAddress source;
        int typeOfService = -1;
        int acknowledgeTimeout = -1;
        int readAtomic = 16;
        int retryCount = 6;
        int rnrRetry = 7;
        int maxSends = 128;
        int iwarpSends;
        int maxReceives = 128;
        @Nullable ProtectionDomain domain;
        @Nullable CompletionQueue queue;
        @Nullable ConnectionGroup group;
        int messages;
        int messageBytes;
        boolean plainMessages;
        Consumer<QueuePairBuilder> queuePair = builder -> {};
        Consumer<RdmaConnection> preparation = connection -> {};

        Values copy() {
            try {
                return (Values) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError("the class is cloneable", e);
            }
        }
    }

    private final Values values;

    private ConnectionOptions(Values values) {
        this.values = values;
    }

    /// Returns the default options: 30 seconds to connect, 128 outstanding sends, 128 outstanding receives, 16
    /// concurrent reads and atomics.
    public static ConnectionOptions defaults() {
        return DEFAULTS;
    }

    private ConnectionOptions with(Consumer<Values> change) {
        Values changed = values.copy();
        change.accept(changed);
        return new ConnectionOptions(changed);
    }

    /// Sets the timeout of connecting or accepting; 30 seconds by default.
    public ConnectionOptions withTimeout(Duration timeout) {
        return with(v -> v.timeout = timeout);
    }

    /// Sets the longest time that ending the connection waits for outstanding sends; 1 second by default.
    public ConnectionOptions withDrain(Duration drain) {
        return with(v -> v.drain = drain);
    }

    /// Sets the private data for the peer: at most 56 bytes with a request, 196 with an acceptance. With messages the
    /// limits are 44 and 184.
    public ConnectionOptions withPrivateData(PrivateData data) {
        return with(v -> v.privateData = data);
    }

    /// Sets a function that returns the private data for the peer, such as the address of memory. The function runs
    /// when the queue pair is in INIT, after the action of [#withPreparation]. If the connection has to use another
    /// queue pair, the function runs again.
    public ConnectionOptions withPrivateDataOf(Function<RdmaConnection, PrivateData> data) {
        return with(v -> v.ownData = data);
    }

    /// Sets the local address to connect from. By default, the route determines this address.
    public ConnectionOptions withSource(InetSocketAddress source) {
        return with(v -> v.source = source);
    }

    /// Sets the type of service (IPv4) or traffic class (IPv6) of the packets, 0 to 255.
    public ConnectionOptions withTypeOfService(int value) {
        Ranges.check("value", value, 0, 255);
        return with(v -> v.typeOfService = value);
    }

    /// Sets the exponent n of the acknowledgement timeout 4.096 µs × 2^n, 0 to 31. By default, the kernel chooses the
    /// timeout.
    public ConnectionOptions withAcknowledgeTimeout(int exponent) {
        Ranges.check("exponent", exponent, 0, 31);
        return with(v -> v.acknowledgeTimeout = exponent);
    }

    /// Sets the maximum number of outstanding RDMA reads and atomics in each direction; 16 by default. The device may
    /// limit this number further.
    public ConnectionOptions withReadAtomic(int count) {
        Ranges.check("count", count, 0, 255);
        return with(v -> v.readAtomic = count);
    }

    /// Sets the retry counts, 0 to 7 each.
    ///
    /// @param afterTimeouts 6 by default; 7 means no limit on rxe
    /// @param afterReceiverNotReady 7 by default, which means no limit
    public ConnectionOptions withRetries(int afterTimeouts, int afterReceiverNotReady) {
        Ranges.check("afterTimeouts", afterTimeouts, 0, 7);
        Ranges.check("afterReceiverNotReady", afterReceiverNotReady, 0, 7);
        return with(v -> {
            v.retryCount = afterTimeouts;
            v.rnrRetry = afterReceiverNotReady;
        });
    }

    /// Sets the maximum numbers of outstanding work requests; 128 each by default. The default completion queue has
    /// room for their completions. If the device does not permit such a completion queue, connecting and accepting
    /// throw an [IllegalArgumentException].
    public ConnectionOptions withQueues(int maxSends, int maxReceives) {
        Ranges.check("maxSends", maxSends, 1, Integer.MAX_VALUE);
        Ranges.check("maxReceives", maxReceives, 0, Integer.MAX_VALUE);
        return with(v -> {
            v.maxSends = maxSends;
            v.maxReceives = maxReceives;
        });
    }

    /// Sets the maximum number of outstanding sends over iWARP. By default, this is the number of [#withQueues]. A
    /// protocol may need more sends over iWARP, because iWARP has no immediate data.
    public ConnectionOptions withIwarpSends(int maxSends) {
        Ranges.check("maxSends", maxSends, 1, Integer.MAX_VALUE);
        return with(v -> v.iwarpSends = maxSends);
    }

    /// Sets the protection domain of the queue pair. The domain must belong to the device that leads to the peer. The
    /// caller closes the domain after the connection. By default, an end that connects opens the device for each
    /// connection, and a server opens each device once for all connections.
    public ConnectionOptions withProtectionDomain(ProtectionDomain domain) {
        return with(v -> v.domain = domain);
    }

    /// Sets the completion queue of sends and receives. The caller closes the queue after the connection. With
    /// [#withMessages], the queue must serve only this connection. By default, each connection has its own queue and
    /// its own channel.
    public ConnectionOptions withCompletionQueue(CompletionQueue queue) {
        return with(v -> v.queue = queue);
    }

    /// Enables [RdmaConnection#messages()]. The peer must enable messages, too, with the same `bytes`; its `count` may
    /// differ. The connection announces both values in the last 12 bytes of the private data. Therefore the program can
    /// use 12 bytes less. The queue pair has room for the messages, in addition to the work requests of [#withQueues].
    ///
    /// @param count maximum number of messages in each direction that the receiving program has not taken yet, 1 to
    ///     65536
    /// @param bytes maximum length of a message, 1 to 2^30
    public ConnectionOptions withMessages(int count, int bytes) {
        return withMessages(count, bytes, false);
    }

    /// Enables [RdmaConnection#messages()] for a peer that is a program in C. Each message is one send without a
    /// header, and nothing is negotiated. If the peer has posted no receive, this end's device repeats the message as
    /// often as [#withRetries] permits. If a message exceeds the peer's receive, the connection ends.
    ///
    /// @param count number of posted receives, and maximum number of outstanding sends, 1 to 65536
    /// @param bytes maximum length of a message, 1 to 2^30
    public ConnectionOptions withPlainMessages(int count, int bytes) {
        return withMessages(count, bytes, true);
    }

    private ConnectionOptions withMessages(int count, int bytes, boolean plain) {
        Ranges.check("count", count, 1, MessageTerms.MAX_COUNT);
        Ranges.check("bytes", bytes, 1, MessageTerms.MAX_BYTES);
        return with(v -> {
            v.messages = count;
            v.messageBytes = bytes;
            v.plainMessages = plain;
        });
    }

    /// Adds the connection to a group. All connections of the group share the open device, the protection domain and
    /// the completion channel. If this end connects, the connection also shares the group's channel of the connection
    /// manager.
    public ConnectionOptions withGroup(ConnectionGroup group) {
        return with(v -> v.group = group);
    }

    /// Sets an action that configures the builder of the queue pair: shared receive queue, inline data, scatter/gather
    /// elements.
    ///
    /// The default completion queue is created before the action runs, with room for the numbers of [#withQueues]. If
    /// the action sets a shared receive queue, pass the capacity of that queue to [#withQueues] as `maxReceives`, or
    /// use [#withCompletionQueue]. Otherwise, the completion queue may overflow.
    public ConnectionOptions withQueuePair(Consumer<QueuePairBuilder> changes) {
        return with(v -> v.queuePair = changes);
    }

    /// Sets an action that runs when the queue pair is in INIT. The action may post receives before the peer can send.
    /// If the connection has to use another queue pair, the action runs again.
    public ConnectionOptions withPreparation(Consumer<RdmaConnection> preparation) {
        return with(v -> v.preparation = preparation);
    }

    Duration timeout() {
        return values.timeout;
    }

    Duration drain() {
        return values.drain;
    }

    PrivateData privateData() {
        return values.privateData;
    }

    @Nullable
    InetSocketAddress source() {
        return values.source;
    }

    int readAtomic() {
        return values.readAtomic;
    }

    int retryCount() {
        return values.retryCount;
    }

    int rnrRetry() {
        return values.rnrRetry;
    }

    int maxSends(Device device) {
        int sends = values.iwarpSends > 0 && CmDevices.isIwarp(device) ? values.iwarpSends : values.maxSends;
        int ofMessages = values.messages == 0 ? 0 : values.messages + MessageBuffers.SPARE_SENDS;
        return (int) Math.min((long) sends + ofMessages, Integer.MAX_VALUE);
    }

    int maxReceives() {
        return Math.max(values.maxReceives, values.messages == 0 ? 0 : values.messages + MessageCredits.SPARE);
    }

    @Nullable
    ProtectionDomain domain() {
        return values.domain;
    }

    @Nullable
    CompletionQueue queue() {
        return values.queue;
    }

    @Nullable
    ConnectionGroup group() {
        return values.group;
    }

    /// Returns this end's message terms; null for none.
    @Nullable
    MessageTerms messages() {
        return values.messages == 0 ? null : new MessageTerms(values.messages, values.messageBytes);
    }

    /// Returns the message terms to announce to the peer; null for none.
    @Nullable
    MessageTerms announcedMessages() {
        return values.plainMessages ? null : messages();
    }

    /// Returns the private data for the peer.
    ///
    /// @param limit maximum size of the private data in the connection manager's message
    PrivateData privateData(int limit) {
        MessageTerms terms = announcedMessages();
        return terms == null ? values.privateData : terms.appendTo(values.privateData, limit);
    }

    Consumer<QueuePairBuilder> queuePair() {
        return values.queuePair;
    }

    /// Returns the action that runs when the queue pair is in INIT.
    Consumer<RdmaConnection> preparation() {
        return values.preparation;
    }

    /// Returns the function that supplies the private data after that action has run; null for none.
    @Nullable
    Function<RdmaConnection, PrivateData> ownData() {
        return values.ownData;
    }

    /// Returns the type of service, or -1 for the kernel's.
    int typeOfService() {
        return values.typeOfService;
    }

    /// Returns the exponent of the acknowledgement timeout, or -1 for the kernel's.
    int acknowledgeTimeout() {
        return values.acknowledgeTimeout;
    }
}
