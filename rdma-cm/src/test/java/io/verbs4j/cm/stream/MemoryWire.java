// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.stream.StreamMemory.Block;
import io.verbs4j.types.CompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Two ends of a stream without a device. Work posted by one end is written into the other's memory when the test
/// delivers it. Like queue pairs of the depth that streams use, the ends have no room for more work requests, and a
/// message needs a receive.
final class MemoryWire {
    final End here;
    final End there;

    private record Message(long id, MemorySegment bytes, long to, int immediate) {}

    MemoryWire(StreamOptions options) {
        here = new End(options);
        there = new End(options);
        here.connect(there, options);
        there.connect(here, options);
    }

    /// Lets everything arrive, until nothing is under way.
    void settle() {
        while (!here.inFlight.isEmpty() || !there.inFlight.isEmpty()) {
            here.deliver();
            there.deliver();
        }
    }

    /// One end.
    static final class End implements StreamOutbox {
        final StreamMemory memory;
        final Greeting greeting;
        /// The immediate data of the messages that were posted.
        final List<Integer> posted = new ArrayList<>();
        /// Number of messages whose completion is reported.
        int reports;
        private final ArrayDeque<Message> inFlight = new ArrayDeque<>();
        private final ArrayDeque<Message> arrived = new ArrayDeque<>();
        private final int depth;
        private int receives;
        private @Nullable RuntimeException refusal;
        StreamProtocol protocol;
        StreamReader reader;
        StreamWriter writer;

        private final Block received;
        private final Block sent;
        private End peer = this;

        @SuppressWarnings("NullAway.Init") // by connect
        private End(StreamOptions options) {
            received = block(StreamMemory.receivedBytes(options), 1);
            sent = block(StreamMemory.sentBytes(options), 3);
            depth = StreamSetup.workRequests(options);
            receives = depth;
            memory = new StreamMemory(received, sent, options);
            greeting = memory.greeting(options.messages());
        }

        private static Block block(long bytes, int key) {
            MemorySegment segment = Arena.ofAuto().allocate(bytes, 8);
            return new Block(segment, segment.address(), key, key + 1, () -> {});
        }

        private void connect(End other, StreamOptions options) {
            peer = other;
            protocol = new StreamProtocol(this, memory, other.greeting, options);
            reader = new StreamReader(protocol, memory);
            writer = new StreamWriter(protocol, memory, new OwnMappings(bytes -> {
                throw new AssertionError("nothing is mapped");
            }, 0));
            locked(protocol::advance);
        }

        void locked(Runnable action) {
            MemoryWire.locked(protocol, action);
        }

        /// Makes each post fail.
        ///
        /// @param cause null to accept posts again
        void refuse(@Nullable RuntimeException cause) {
            refusal = cause;
        }

        private void requireAccepting() {
            RuntimeException cause = refusal;
            if (cause != null) {
                throw cause;
            }
        }

        @Override
        public void receive(int count) {
            requireAccepting();
            receives += count;
            assertThat(receives).isLessThanOrEqualTo(depth);
        }

        @Override
        public void write(long id, long from, int length, long to, int key, int immediate) {
            assertThat(key).isEqualTo(peer.received.remoteKey());
            post(new Message(id, sent.segment().asSlice(from - sent.address(), length), to, immediate));
        }

        @Override
        public void writeSilently(long id, long from, int length, long to, int key) {
            throw new AssertionError("nothing is mapped");
        }

        @Override
        public void signal(long id, int immediate) {
            post(new Message(id, MemorySegment.NULL, peer.received.address(), immediate));
        }

        private void post(Message message) {
            requireAccepting();
            assertThat(inFlight.size() + arrived.size()).isLessThan(depth);
            posted.add(message.immediate());
            reports += isReported(message) ? 1 : 0;
            inFlight.add(message);
        }

        private static boolean isReported(Message message) {
            return message.id() != StreamProtocol.UNREPORTED;
        }

        /// Lets the oldest message arrive, and this end know.
        void deliver() {
            arrive();
            complete();
        }

        /// Lets the oldest message arrive at the peer.
        void arrive() {
            Message message = inFlight.poll();
            if (message == null) {
                return;
            }
            arrived.add(message);
            assertThat(peer.receives--).isPositive();
            int length = (int) message.bytes().byteSize();
            long at = message.to() - peer.received.address();
            MemorySegment.copy(message.bytes(), 0, peer.received.segment(), at, length);
            peer.completed(StreamProtocol.RECEIVE, CompletionStatus.SUCCESS, message.immediate(), length);
        }

        /// Reports the oldest message that has arrived and is to be reported. As on cards, this frees the places of the
        /// messages before it, too.
        void complete() {
            if (arrived.stream().anyMatch(End::isReported)) {
                Message message = arrived.remove();
                while (!isReported(message)) {
                    message = arrived.remove();
                }
                completed(message.id(), CompletionStatus.SUCCESS, 0, 0);
            }
        }

        void completed(long id, CompletionStatus status, int immediate, int length) {
            locked(() -> {
                protocol.completed(id, status.value(), immediate, length);
                protocol.advance();
            });
        }

        /// The connection ends without a farewell.
        void breaks() {
            completed(StreamProtocol.RECEIVE, CompletionStatus.WORK_REQUEST_FLUSHED, 0, 0);
        }

        int readiness() {
            int[] result = new int[1];
            locked(() -> result[0] = protocol.readiness());
            return result[0];
        }

        long write(byte[] bytes) {
            return writer.write(MemorySegment.ofArray(bytes), 0, bytes.length, 0);
        }
    }

    /// Calls the protocol as streams do.
    static void locked(StreamProtocol protocol, Runnable action) {
        synchronized (protocol) {
            action.run();
        }
    }
}
