// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.MemoryRegion;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/// One side of rping's protocol. Messages of 16 bytes contain a buffer's address, rkey and length in network byte
/// order. Messages of the server only report that it is done.
final class RpingPeer {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ValueLayout.OfLong ADDRESS = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt NUMBER = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int MESSAGE = 16;
    private static final int RECEIVE_AT = 0;
    private static final int SEND_AT = MESSAGE;
    private static final int SOURCE_AT = 64;
    private static final int RECEIVE_ID = 1;
    private static final int FIRST_LETTER = 'A';
    private static final int LAST_LETTER = 'z';

    private final RdmaConnection connection;
    private final MemoryRegion memory;
    private final int bytes;
    private final MemorySegment last = Arena.ofAuto().allocate(MESSAGE);
    private int messages;
    private int sends;
    private boolean ended;

    RpingPeer(RdmaConnection connection, int bytes) {
        this.connection = connection;
        this.bytes = bytes;
        this.memory = connection.protectionDomain()
                .allocate(
                        SOURCE_AT + 2L * bytes, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        postReceive();
    }

    /// Returns the address at which the peer's bytes arrive.
    private long sinkAt() {
        return (long) SOURCE_AT + bytes;
    }

    private void postReceive() {
        try (var batch = connection.queuePair().beginReceive()) {
            batch.workRequestId(RECEIVE_ID).receive(memory, RECEIVE_AT, MESSAGE);
            batch.submit();
        }
    }

    /// Offers buffers, and shows the returned data.
    ///
    /// @param count number of exchanges; 0 for no limit
    void client(int count, boolean validate, Consumer<String> show) throws InterruptedException {
        int start = FIRST_LETTER;
        for (int ping = 0; count == 0 || ping < count; ping++) {
            byte[] text = text(ping, start);
            start = start == LAST_LETTER ? FIRST_LETTER : start + 1;
            MemorySegment.copy(text, 0, memory.segment(), ValueLayout.JAVA_BYTE, SOURCE_AT, bytes);
            offer(SOURCE_AT);
            require(awaitMessage(), "after the offer of the buffer to read");
            offer(sinkAt());
            require(awaitMessage(), "after the offer of the buffer to write");
            if (validate
                    && memory.segment().asSlice(SOURCE_AT, bytes).mismatch(memory.segment().asSlice(sinkAt(), bytes))
                            >= 0) {
                throw new ToolException("data mismatch in exchange " + ping);
            }
            show.accept("ping data: " + received(bytes));
        }
    }

    private byte[] text(int ping, int start) {
        byte[] text = new byte[bytes];
        byte[] head = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(head, 0, text, 0, head.length);
        int letter = start;
        for (int i = head.length; i < bytes - 1; i++) {
            text[i] = (byte) letter;
            letter = letter == LAST_LETTER ? FIRST_LETTER : letter + 1;
        }
        return text;
    }

    /// Reads the offered buffer and writes it back, until the client disconnects.
    void server(Consumer<String> show) throws InterruptedException {
        while (awaitMessage()) {
            RemoteMemory source = offered();
            post(new SendWorkRequest().read().local(memory, sinkAt(), source.length()).remote(source));
            String text = received(source.length());
            show.accept("server ping data: " + text);
            post(new SendWorkRequest().send().local(memory, SEND_AT, MESSAGE));
            require(awaitMessage(), "before the offer of the buffer to write");
            RemoteMemory sink = offered();
            long length = Math.min(text.getBytes(StandardCharsets.US_ASCII).length + 1, sink.length());
            post(new SendWorkRequest().write().local(memory, sinkAt(), length).remote(sink));
            // The client may have received everything, and disconnect before it acknowledges this.
            if (!postUnlessEnded(new SendWorkRequest().send().local(memory, SEND_AT, MESSAGE))) {
                return;
            }
        }
    }

    /// Returns the text at the start of the peer's bytes. A faulty peer does not end its text by a zero.
    private String received(long length) {
        byte[] text = memory.segment().asSlice(sinkAt(), length).toArray(ValueLayout.JAVA_BYTE);
        return new String(text, StandardCharsets.UTF_8).split("\0", 2)[0];
    }

    private void offer(long at) throws InterruptedException {
        MemorySegment message = memory.segment().asSlice(SEND_AT, MESSAGE);
        message.set(ADDRESS, 0, memory.address() + at);
        message.set(NUMBER, 8, memory.remoteKey());
        message.set(NUMBER, 12, bytes);
        post(new SendWorkRequest().send().local(memory, SEND_AT, MESSAGE));
    }

    /// Returns the buffer in the last message.
    private RemoteMemory offered() {
        int length = last.get(NUMBER, 12);
        if (length < 1 || length > bytes) {
            throw new ToolException("the client offered a buffer of " + length + " bytes",
                    "both sides need the same -S");
        }
        return new RemoteMemory(last.get(ADDRESS, 0), length, last.get(NUMBER, 8));
    }

    private void post(SendWorkRequest request) throws InterruptedException {
        require(postUnlessEnded(request), "during a work request");
    }

    /// Posts a work request and waits for its completion.
    ///
    /// @return false if the connection ended before
    private boolean postUnlessEnded(SendWorkRequest request) throws InterruptedException {
        int before = sends;
        connection.queuePair().post(request.signaled());
        while (sends == before) {
            if (!poll()) {
                return false;
            }
        }
        return true;
    }

    private boolean awaitMessage() throws InterruptedException {
        while (messages == 0) {
            if (ended || !poll()) {
                return false;
            }
        }
        messages--;
        last.copyFrom(memory.segment().asSlice(RECEIVE_AT, MESSAGE));
        postReceive(); // the peer sends no further message before this side's next one
        return true;
    }

    /// Waits for completions.
    ///
    /// @return false if the connection has ended
    /// @throws ToolException after the timeout
    private boolean poll() throws InterruptedException {
        if (connection.completionQueue().await(4, this::take, TIMEOUT) == 0) {
            throw new ToolException("the peer does not answer within " + TIMEOUT.toSeconds() + " s");
        }
        return !ended;
    }

    private void take(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            if (completion.status().equals(CompletionStatus.WORK_REQUEST_FLUSHED)) {
                ended = true;
                return;
            }
            throw new ToolException("work request failed: " + completion);
        }
        if (completion.workRequestId() == RECEIVE_ID) {
            if (completion.byteLength() != MESSAGE) {
                throw new ToolException("a message of " + completion.byteLength() + " bytes is not rping's");
            }
            messages++;
        } else {
            sends++;
        }
    }

    private static void require(boolean came, String what) {
        if (!came) {
            throw new ToolException("the peer has disconnected " + what);
        }
    }
}
