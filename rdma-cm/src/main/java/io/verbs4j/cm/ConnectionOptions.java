// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.Ranges;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Options of a connection, for either end. Immutable; each method returns a changed copy.
public final class ConnectionOptions {
    /// Enough for two virtual machines that have just started in an emulated guest: each takes many seconds to load what a connection needs.
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final ConnectionOptions DEFAULTS = new ConnectionOptions(new Values());

    /// The values of one object; written only while that object is made.
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
        int maxReceives = 128;
        @Nullable ProtectionDomain domain;
        @Nullable CompletionQueue queue;
        @Nullable ConnectionGroup group;
        int messages;
        int messageBytes;
        boolean plainMessages;
        Consumer<QueuePairBuilder> queuePair = builder -> {};
        Consumer<RdmaConnection> preparation = connection -> {};
        Supplier<EventChannel> channels = EventChannel::open;

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

    /// Returns options that suit most: 30 seconds to connect, 128 sends and 128 receives outstanding, 16 reads and atomics at a time.
    public static ConnectionOptions defaults() {
        return DEFAULTS;
    }

    private ConnectionOptions with(Consumer<Values> change) {
        Values changed = values.copy();
        change.accept(changed);
        return new ConnectionOptions(changed);
    }

    /// Sets the longest time that connecting or accepting may take; 30 seconds by default.
    public ConnectionOptions withTimeout(Duration timeout) {
        return with(v -> v.timeout = timeout);
    }

    /// Sets how long an end of the connection waits for the sends that are under way; 1 second by default.
    public ConnectionOptions withDrain(Duration drain) {
        return with(v -> v.drain = drain);
    }

    /// Sets what travels to the peer: at most 56 bytes with a request, 196 with an acceptance; with messages 44 and 184.
    public ConnectionOptions withPrivateData(PrivateData data) {
        return with(v -> v.privateData = data);
    }

    /// Sets what travels to the peer when the queue pair exists and is in INIT, after the preparation: where its memory is, say. It is asked
    /// again if another queue pair has to be taken.
    public ConnectionOptions withPrivateDataOf(Function<RdmaConnection, PrivateData> data) {
        return with(v -> v.ownData = data);
    }

    /// Sets the local address to connect from; by default the one that the route gives.
    public ConnectionOptions withSource(InetSocketAddress source) {
        return with(v -> v.source = source);
    }

    /// Sets the type of service (IPv4) or traffic class (IPv6) of the packets, 0 to 255.
    public ConnectionOptions withTypeOfService(int value) {
        Ranges.check("value", value, 0, 255);
        return with(v -> v.typeOfService = value);
    }

    /// Sets the acknowledgement timeout, 0 to 31: 4.096 µs × 2^n; by default the kernel's choice.
    public ConnectionOptions withAcknowledgeTimeout(int exponent) {
        Ranges.check("exponent", exponent, 0, 31);
        return with(v -> v.acknowledgeTimeout = exponent);
    }

    /// Sets how many RDMA reads and atomics may be outstanding in each direction, as far as the device can; 16 by default.
    public ConnectionOptions withReadAtomic(int count) {
        Ranges.check("count", count, 0, 255);
        return with(v -> v.readAtomic = count);
    }

    /// Sets the retries, 0 to 7 each.
    ///
    /// @param afterTimeouts 6 by default; 7 means for ever on rxe
    /// @param afterReceiverNotReady 7, for ever, by default
    public ConnectionOptions withRetries(int afterTimeouts, int afterReceiverNotReady) {
        Ranges.check("afterTimeouts", afterTimeouts, 0, 7);
        Ranges.check("afterReceiverNotReady", afterReceiverNotReady, 0, 7);
        return with(v -> {
            v.retryCount = afterTimeouts;
            v.rnrRetry = afterReceiverNotReady;
        });
    }

    /// Sets how many work requests may be outstanding; 128 each by default.
    public ConnectionOptions withQueues(int maxSends, int maxReceives) {
        Ranges.check("maxSends", maxSends, 1, Integer.MAX_VALUE);
        Ranges.check("maxReceives", maxReceives, 0, Integer.MAX_VALUE);
        return with(v -> {
            v.maxSends = maxSends;
            v.maxReceives = maxReceives;
        });
    }

    /// Sets the protection domain of the queue pair, which must be of the device that leads to the peer. The caller closes it after the
    /// connection. By default the device is opened for the connection, and by a server once for all.
    public ConnectionOptions withProtectionDomain(ProtectionDomain domain) {
        return with(v -> v.domain = domain);
    }

    /// Sets where sends and receives complete. The caller closes it after the connection. Messages need it for themselves. By default each connection has a queue with a
    /// channel of its own.
    public ConnectionOptions withCompletionQueue(CompletionQueue queue) {
        return with(v -> v.queue = queue);
    }

    /// Makes [RdmaConnection#messages()] work. The peer needs the option too, with the same `bytes`, and may have another `count`. The
    /// program's private data may have 12 bytes less, which announce both to the peer. The queue pair gets sends and receives for the messages
    /// beside those of [#withQueues].
    ///
    /// @param count messages in each direction that the peer's program need not have taken yet, 1 to 65536
    /// @param bytes the longest message, 1 to 2^30
    public ConnectionOptions withMessages(int count, int bytes) {
        return withMessages(count, bytes, false);
    }

    /// Makes [RdmaConnection#messages()] work with a peer that is a program in C: each message is one send, without a header, and nothing is
    /// agreed with the peer. A peer that posts no receives in time makes this end's device repeat a message
    /// as [#withRetries] says, and a receive of the peer that is too short for a message ends the connection.
    ///
    /// @param count receives that wait for the peer's sends, and sends that may be outstanding, 1 to 65536
    /// @param bytes the longest message, 1 to 2^30
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

    /// Lets the connection share what it can with the others of a group: the open device with its protection domain, the completion channel,
    /// and, if this end connects, the channel of the connection manager.
    public ConnectionOptions withGroup(ConnectionGroup group) {
        return with(v -> v.group = group);
    }

    /// Changes the queue pair before it is created: its shared receive queue, inline data, scatter/gather elements.
    public ConnectionOptions withQueuePair(Consumer<QueuePairBuilder> changes) {
        return with(v -> v.queuePair = changes);
    }

    /// Runs something when the queue pair exists and is in INIT: the moment to post receives, before the peer may send. It runs again if
    /// another queue pair has to be taken.
    public ConnectionOptions withPreparation(Consumer<RdmaConnection> preparation) {
        return with(v -> v.preparation = preparation);
    }

    /// Sets where event channels come from: tests put other files behind them.
    ConnectionOptions withChannels(Supplier<EventChannel> channels) {
        return with(v -> v.channels = channels);
    }

    EventChannel openChannel() {
        return values.channels.get();
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

    int maxSends() {
        return values.messages == 0
                ? values.maxSends
                : values.maxSends + values.messages + MessageBuffers.SPARE_SENDS;
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

    /// Returns the messages of this end; null for none.
    @Nullable
    MessageTerms messages() {
        return values.messages == 0 ? null : new MessageTerms(values.messages, values.messageBytes);
    }

    /// Returns what the peer has to know of the messages; null for nothing.
    @Nullable
    MessageTerms announcedMessages() {
        return values.plainMessages ? null : messages();
    }

    /// Returns what travels to the peer.
    ///
    /// @param limit bytes of private data that the connection manager's message carries
    PrivateData privateData(int limit) {
        MessageTerms terms = announcedMessages();
        return terms == null ? values.privateData : terms.appendTo(values.privateData, limit);
    }

    Consumer<QueuePairBuilder> queuePair() {
        return values.queuePair;
    }

    /// Prepares a connection whose queue pair is in INIT.
    ///
    /// @return the options with what travels to the peer
    ConnectionOptions prepare(RdmaConnection connection) {
        values.preparation.accept(connection);
        Function<RdmaConnection, PrivateData> own = values.ownData;
        return own == null ? this : withPrivateData(own.apply(connection));
    }

    /// Sets the options that the kernel keeps with the identifier.
    void applyTo(Identifier identifier) {
        if (values.typeOfService >= 0) {
            identifier.setTypeOfService(values.typeOfService);
        }
        if (values.acknowledgeTimeout >= 0) {
            identifier.setAcknowledgeTimeout(values.acknowledgeTimeout);
        }
    }
}
