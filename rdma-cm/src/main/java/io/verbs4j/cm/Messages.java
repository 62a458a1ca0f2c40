// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QueuePair;
import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Messages over a reliable connection, in registered buffers. [#send(byte[], Duration)] and [#receive(Duration)] copy
/// each message once. [#compose] and [#take] neither copy nor allocate.
///
/// An end sends no more messages than its peer has free receives. Each message costs a credit. The credit returns when
/// the peer's program has taken the message, so a slow reader delays its peer without losing messages. Both ends need
/// the same message length. Each end chooses its number of outstanding messages, except with [#over].
///
/// Thread-safe; suits virtual threads. Threads that send and threads that receive do not wait for each other. Use the
/// completion queue for no other work, because sending and receiving consume all completions. The program may post
/// unsignaled work requests to the queue pair, except writes with immediate data. Such a write uses a receive of the
/// peer's messages, and the peer's calls then fail with `EPROTO`.
public final class Messages implements AutoCloseable {
    private static final Duration LONG = Duration.ofDays(365);
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration DRAIN = Duration.ofSeconds(1);
    /// Timeout for a device to flush the work requests of a queue pair in ERR.
    private static final Duration FLUSH = Duration.ofSeconds(1);

    private final QueuePair queuePair;
    private final Duration drain;
    private final MessageLink link;

    /// Allocates the buffers and posts all receives.
    ///
    /// @param drain the longest time that closing waits for messages that have not reached the peer
    /// @param ended whether the connection has ended
    Messages(
            QueuePair queuePair,
            CompletionQueue queue,
            MessageTerms terms,
            boolean plain,
            Duration drain,
            BooleanSupplier ended) {
        this.queuePair = queuePair;
        this.drain = drain;
        this.link = new MessageLink(queuePair, queue, terms, plain, ended);
    }

    /// Creates messages over queue pairs that were connected without the connection manager. Both ends must call this
    /// with the same `count` and `bytes` before either end sends; [io.verbs4j.SocketExchange#ready()] waits for the
    /// peer.
    ///
    /// @param queuePair in INIT or beyond, with room for `count + 2` receives and `count + 2` sends; [#close()] closes
    ///     the queue pair
    /// @param queue completion queue of this queue pair only; without a channel, waiting threads poll the queue
    ///     repeatedly
    /// @param count maximum number of messages in each direction that the receiving program has not taken yet, 1 to
    ///     65536
    /// @param bytes maximum length of a message, 1 to 2^30
    public static Messages over(QueuePair queuePair, CompletionQueue queue, int count, int bytes) {
        Ranges.check("count", count, 1, MessageTerms.MAX_COUNT);
        Ranges.check("bytes", bytes, 1, MessageTerms.MAX_BYTES);
        var messages = new Messages(queuePair, queue, new MessageTerms(count, bytes), false, DRAIN, () -> false);
        messages.begin(count);
        return messages;
    }

    /// Sets the number of the peer's receives.
    void begin(int peersCount) {
        link.begin(peersCount);
    }

    /// Sends a text in UTF-8. Waits at most 10 seconds for the peer.
    ///
    /// @see #send(byte[], Duration)
    public void send(String text) throws InterruptedException {
        send(text.getBytes(StandardCharsets.UTF_8), SEND_TIMEOUT);
    }

    /// Sends a message. Waits until the peer has room for the message, and returns when the message is posted.
    /// [#close()] reports messages that did not reach the peer.
    ///
    /// @param message at most as long as the options permit
    /// @throws VerbsException `ETIMEDOUT` if the peer took none of the outstanding messages in time, or if
    ///     [composed][#compose] messages of this end leave no room; `ECONNRESET` if the connection has ended; `EPROTO`
    ///     if the peer violated the protocol
    /// @throws IllegalStateException if the program's own work fills the send queue
    public void send(byte[] message, Duration timeout) throws InterruptedException {
        link.send(message, Deadline.within(timeout));
    }

    /// Returns an empty message to write and send. Waits until the peer has room for the message.
    ///
    /// @return null after the timeout; the caller sends or closes the message
    /// @throws VerbsException `ECONNRESET` if the connection has ended, `EPROTO` if the peer violated the protocol
    public @Nullable OutgoingMessage compose(Duration timeout) throws InterruptedException {
        return link.compose(Deadline.within(timeout));
    }

    /// Waits for a message.
    ///
    /// @return empty after the timeout
    /// @throws VerbsException `ECONNRESET` if the connection has ended, `EPROTO` if the peer violated the protocol.
    ///     Messages that arrived earlier are returned first
    public Optional<byte[]> receive(Duration timeout) throws InterruptedException {
        return Optional.ofNullable(link.receive(Deadline.within(timeout)));
    }

    /// Waits for a message without copying it.
    ///
    /// @return null after the timeout; the caller closes the message
    /// @throws VerbsException `ECONNRESET` if the connection has ended, `EPROTO` if the peer violated the protocol.
    ///     Messages that arrived earlier are returned first
    public @Nullable IncomingMessage take(Duration timeout) throws InterruptedException {
        return link.take(Deadline.within(timeout));
    }

    /// Waits for a message that is a text in UTF-8.
    ///
    /// @return empty after the timeout
    /// @see #receive(Duration)
    public Optional<String> receiveText(Duration timeout) throws InterruptedException {
        return receive(timeout).map(message -> new String(message, StandardCharsets.UTF_8));
    }

    /// Waits without a timeout for a message that is a text in UTF-8.
    ///
    /// @see #receive(Duration)
    public String receiveText() throws InterruptedException {
        while (true) {
            Optional<String> text = receiveText(LONG);
            if (text.isPresent()) {
                return text.get();
            }
        }
    }

    /// Returns the number of messages that the peer has room for, as far as this end knows.
    public int credits() {
        return link.credits();
    }

    /// Waits until all sent messages have reached the peer, or the connection has ended.
    void awaitDelivery(long deadline) throws InterruptedException {
        link.awaitDelivery(deadline);
    }

    /// Closes this end. First tells the peer which messages this end has taken, so that the peer does not report these
    /// messages as lost. Then waits until all sent messages have reached the peer, for at most the drain time of the
    /// connection's options, or 1 second if [#over] created the messages. Finally closes the queue pair and frees the
    /// memory. Discards received messages that the program has not taken. Closing the connection also closes its
    /// messages. Idempotent.
    ///
    /// @throws VerbsException `ECONNRESET` if messages may not have reached the peer; everything is closed nevertheless
    @Override
    public void close() {
        if (link.end(drain, FLUSH, this::stop)) {
            Closing.all(link::close, link::requireDelivery);
        }
    }

    private void stop() {
        try {
            queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        } catch (VerbsException | IllegalStateException e) {
            // Closed, or its device is gone.
        }
    }
}
