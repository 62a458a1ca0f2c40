// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.RemoteMemory;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tests reads and writes that the program completes itself, as a timeout does. The buffer then belongs to the program
/// again.
class PendingTest {
    private final List<Integer> written = new ArrayList<>();
    private final Protocol protocol = new Protocol(
            new Outbox() {
                @Override
                public void control(int opcode) {
                    // The test announces buffers itself.
                }

                @Override
                public void write(long offset, int length, long address, int key) {
                    written.add(length);
                }
            },
            MemorySegment.ofArray(new byte[8192]),
            MemorySegment.ofArray(new byte[4096]));

    private void announce() {
        MemorySegment all = MemorySegment.ofArray(new byte[ControlMessage.KINDS * ControlMessage.BYTES]);
        ControlMessage.writeAll(all, new RemoteMemory(4096, 100, 1));
        protocol.controlArrived(
                all.asSlice((long) ControlMessage.REGISTER_MEMORY * ControlMessage.BYTES), ControlMessage.BYTES);
    }

    private Pending<Integer> read() {
        var pending = new Pending<Integer>(ByteBuffer.allocate(2), protocol::withdraw);
        protocol.add(pending);
        return pending;
    }

    private Pending<@Nullable Void> write(int bytes) {
        var pending = new Pending<@Nullable Void>(ByteBuffer.allocate(bytes), protocol::withdraw);
        protocol.addWrite(pending);
        return pending;
    }

    private void advance() {
        protocol.advance().forEach(Runnable::run);
    }

    @Test
    void aReadThatTimesOutTakesNoBytes() {
        Pending<Integer> first = read();
        Pending<Integer> second = read();
        assertThat(first.completeExceptionally(new TimeoutException())).isTrue();
        protocol.dataArrived(2, 2);
        advance();
        assertThat(first.buffer.position()).isZero();
        assertThat(second).isCompletedWithValue(2);
    }

    @Test
    void aReadWhoseBytesAreCopiedDoesNotTimeOut() {
        Pending<Integer> read = read();
        protocol.dataArrived(1, 1);
        List<Runnable> done = protocol.advance();
        assertThat(read.completeExceptionally(new TimeoutException())).isFalse();
        assertThat(read.complete(0)).isFalse();
        done.forEach(Runnable::run);
        assertThat(read).isCompletedWithValue(1);
    }

    @Test
    void aWriteThatTimesOutSendsNothing() {
        Pending<@Nullable Void> first = write(10);
        Pending<@Nullable Void> second = write(20);
        assertThat(first.complete(null)).isTrue();
        announce();
        advance();
        assertThat(second).isCompletedWithValue(null);
        assertThat(written).containsExactly(20);
    }

    /// Between the two parts of the first write, the server makes room for the second write.
    @Test
    void noWriteComesBetweenThePartsOfAnotherOne() {
        announce();
        var first = protocol.writeOrAdd(ByteBuffer.allocate(150), protocol::withdraw);
        announce();
        var second = protocol.writeOrAdd(ByteBuffer.allocate(20), protocol::withdraw);
        assertThat(written).containsExactly(100);
        advance();
        assertThat(written).containsExactly(100, 50, 20);
        assertThat(first).isCompletedWithValue(null);
        assertThat(second).isCompletedWithValue(null);
        assertThat(protocol.writeOrAdd(ByteBuffer.allocate(30), protocol::withdraw)).as("all is written").isNull();
        var third = protocol.writeOrAdd(ByteBuffer.allocate(1), protocol::withdraw);
        assertThat(protocol.withdraw(third, true)).isTrue();
        assertThat(protocol.hasFailed()).as("no byte was written").isFalse();
    }

    /// The server would take the next write for the rest of the unfinished one.
    @Test
    void aWriteThatTimesOutMidwayFailsTheConnection() {
        announce();
        Pending<@Nullable Void> first = write(150);
        Pending<@Nullable Void> second = write(20);
        advance();
        assertThat(first.cancel(true)).as("bytes of it are written").isFalse();
        assertThat(first.completeExceptionally(new TimeoutException())).isTrue();
        announce();
        advance();
        assertThat(written).containsExactly(100);
        assertThat(first.buffer.position()).isEqualTo(100);
        assertThatThrownBy(second::join).cause()
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNRESET))
                .hasMessageContaining("ended after part of its bytes");
    }
}
