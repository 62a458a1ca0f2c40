// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.RemoteMemory;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the state machine alone: arriving messages are its input, and sent messages are recorded.
class ProtocolTest {
    private static final int SEND_BYTES = 8192;
    private static final int RECEIVE_BYTES = 4096;
    private static final long PEER_ADDRESS = 0x7f00_0000_0000L;
    private static final int PEER_KEY = 77;

    private record Write(long offset, int length, long address, int key) {}

    private final List<Integer> controls = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private final MemorySegment receiveBuffer = MemorySegment.ofArray(new byte[RECEIVE_BYTES]);
    private final Protocol protocol = new Protocol(
            new Outbox() {
                @Override
                public void control(int opcode) {
                    controls.add(opcode);
                }

                @Override
                public void write(long offset, int length, long address, int key) {
                    writes.add(new Write(offset, length, address, key));
                }
            },
            MemorySegment.ofArray(new byte[SEND_BYTES]),
            receiveBuffer);

    private static MemorySegment message(int opcode) {
        MemorySegment message = MemorySegment.ofArray(new byte[ControlMessage.BYTES]);
        message.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 0, (short) opcode);
        return message;
    }

    private static MemorySegment announcement(RemoteMemory memory) {
        MemorySegment all = MemorySegment.ofArray(new byte[ControlMessage.KINDS * ControlMessage.BYTES]);
        ControlMessage.writeAll(all, memory);
        return all.asSlice((long) ControlMessage.REGISTER_MEMORY * ControlMessage.BYTES);
    }

    private void announce(int length) {
        protocol.controlArrived(
                announcement(new RemoteMemory(PEER_ADDRESS, length, PEER_KEY)), ControlMessage.BYTES);
    }

    private void arrive(int bytes) {
        protocol.dataArrived(bytes, bytes);
    }

    private int write(int bytes) {
        return protocol.write(ByteBuffer.allocate(bytes));
    }

    private int read(int bytes) {
        return protocol.read(ByteBuffer.allocate(bytes));
    }

    private void assertViolation(String text) {
        assertThatThrownBy(() -> read(1)).isInstanceOfSatisfying(VerbsException.class, e -> {
            assertThat(e.errno()).isEqualTo(Errno.EPROTO);
            assertThat(e).hasMessageContaining(text);
        });
    }

    @Test
    void beginsWithFeaturesAndItsBuffer() {
        protocol.start();
        assertThat(controls).containsExactly(
                ControlMessage.GET_SERVER_FEATURE, ControlMessage.SET_CLIENT_FEATURE, ControlMessage.REGISTER_MEMORY);
    }

    @Test
    void encodesItsBufferAsTheServerExpectsIt() {
        assertThat(announcement(new RemoteMemory(0x0102030405060708L, 0x090a0b0c, 0x0d0e0f10)).toArray(
                ValueLayout.JAVA_BYTE)).startsWith(0, 3)
                .endsWith(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    }

    @Test
    void writesNothingBeforeTheServerHasAnnouncedItsBuffer() {
        assertThat(write(10)).isZero();
        assertThat(protocol.isAnswered()).isFalse();
        announce(100);
        assertThat(protocol.isAnswered()).isTrue();
        assertThat(write(10)).isEqualTo(10);
        assertThat(write(5)).isEqualTo(5);
        assertThat(writes).containsExactly(
                new Write(0, 10, PEER_ADDRESS, PEER_KEY), new Write(10, 5, PEER_ADDRESS + 10, PEER_KEY));
    }

    @Test
    void writesToTheEndOfTheServersBufferAndThenWaits() {
        announce(100);
        assertThat(write(250)).isEqualTo(100);
        assertThat(write(150)).isZero();
        announce(100);
        assertThat(write(150)).isEqualTo(100);
        assertThat(writes.getLast()).isEqualTo(new Write(100, 100, PEER_ADDRESS, PEER_KEY));
    }

    @Test
    void usesMemoryOfItsSendBufferAgainWhenTheWriteHasCompleted() {
        announce(1 << 20);
        assertThat(write(5000)).isEqualTo(5000);
        assertThat(write(5000)).isEqualTo(SEND_BYTES - 5000);
        assertThat(write(1)).isZero();
        protocol.sent(5000);
        assertThat(write(6000)).isEqualTo(5000);
        assertThat(writes.getLast()).isEqualTo(new Write(0, 5000, PEER_ADDRESS + SEND_BYTES, PEER_KEY));
    }

    @Test
    void limitsTheWritesThatAreOutstanding() {
        announce(1 << 20);
        for (int i = 0; i < Protocol.MAX_WRITES; i++) {
            assertThat(write(1)).isOne();
        }
        assertThat(write(1)).isZero();
        protocol.sent(1);
        assertThat(write(2)).isEqualTo(2);
        assertThat(write(1)).as("one for each completion").isZero();
    }

    @Test
    void takesDataAsASignOfLife() {
        arrive(1);
        assertThat(protocol.heard()).isTrue();
    }

    @Test
    void cancellingWhatFollowsAReadDoesNotWithdrawIt() {
        var read = new Pending<Integer>(ByteBuffer.allocate(1), (_, _) -> true);
        CompletableFuture<Integer> next = read.thenApply(bytes -> bytes + 1);
        assertThat(read.thenApply(bytes -> bytes).cancel(true)).isTrue();
        read.complete(1);
        assertThat(next).isCompletedWithValue(2);
    }

    @Test
    void announcesAFullBufferAgainWhenAllOfItIsRead() {
        arrive(RECEIVE_BYTES - 1);
        assertThat(read(RECEIVE_BYTES)).isEqualTo(RECEIVE_BYTES - 1);
        arrive(1);
        assertThat(controls).isEmpty();
        assertThat(read(1)).isOne();
        assertThat(controls).containsExactly(ControlMessage.REGISTER_MEMORY);
        receiveBuffer.set(ValueLayout.JAVA_BYTE, 0, (byte) 42);
        arrive(1);
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThat(protocol.read(target)).isOne();
        assertThat(target.get(0)).isEqualTo((byte) 42);
    }

    @Test
    void announcesItsBufferLaterIfTooManyMessagesAreOutstanding() {
        for (int i = 0; i < Protocol.MAX_CONTROLS; i++) {
            protocol.keepAlive();
            protocol.keepAlive();
        }
        assertThat(controls).hasSize(Protocol.MAX_CONTROLS).containsOnly(ControlMessage.KEEP_ALIVE);
        arrive(RECEIVE_BYTES);
        read(RECEIVE_BYTES);
        protocol.advance();
        assertThat(controls).doesNotContain(ControlMessage.REGISTER_MEMORY);
        protocol.sent(Protocol.CONTROL);
        protocol.advance();
        protocol.advance();
        assertThat(controls).containsOnlyOnce(ControlMessage.REGISTER_MEMORY);
    }

    @Test
    void sendsKeepAlivesInPlaceOfOtherMessagesOnly() {
        announce(100);
        write(1);
        protocol.keepAlive();
        assertThat(controls).isEmpty();
        protocol.keepAlive();
        assertThat(controls).as("no silence is longer than two checks").containsExactly(ControlMessage.KEEP_ALIVE);
        assertThat(Protocol.KEEP_ALIVE_CHECKS).isEqualTo(2);
        protocol.keepAlive();
        assertThat(controls).as("an idle connection sends one in two checks").hasSize(1);
        protocol.keepAlive();
        assertThat(controls).containsExactly(ControlMessage.KEEP_ALIVE, ControlMessage.KEEP_ALIVE);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {ControlMessage.GET_SERVER_FEATURE, ControlMessage.SET_CLIENT_FEATURE, ControlMessage.KEEP_ALIVE})
    void takesEachOtherMessageAsASignOfLife(int opcode) {
        assertThat(protocol.heard()).isFalse();
        protocol.controlArrived(message(opcode), ControlMessage.BYTES);
        assertThat(protocol.heard()).isTrue();
        assertThat(protocol.heard()).isFalse();
        assertThat(protocol.hasFailed()).isFalse();
    }

    @Test
    void refusesAnUnknownMessage() {
        protocol.controlArrived(message(0xffff), ControlMessage.BYTES);
        assertViolation("unknown control message 65535");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 33})
    void refusesAMessageOfAnotherLength(int length) {
        protocol.controlArrived(message(ControlMessage.KEEP_ALIVE), length);
        assertViolation("has " + length + " bytes");
    }

    @Test
    void refusesAnEmptyBuffer() {
        protocol.controlArrived(announcement(new RemoteMemory(0, 0, 1)), ControlMessage.BYTES);
        assertViolation("is empty");
    }

    @Test
    void refusesABufferThatLeavesTheAddressSpace() {
        protocol.controlArrived(announcement(new RemoteMemory(-100, 101, 1)), ControlMessage.BYTES);
        assertViolation("exceeds the address space");
    }

    @Test
    void takesABufferAtTheEndOfTheAddressSpace() {
        protocol.controlArrived(announcement(new RemoteMemory(-100, 100, 1)), ControlMessage.BYTES);
        assertThat(write(101)).isEqualTo(100);
    }

    @Test
    void refusesMoreBytesThanFit() {
        arrive(RECEIVE_BYTES - 10);
        arrive(11);
        read(RECEIVE_BYTES);
        assertViolation("has 10 left");
    }

    @Test
    void refusesANumberThatIsNegativeAsAnInt() {
        protocol.dataArrived(-1, -1);
        assertViolation("wrote 4294967295 bytes");
    }

    @Test
    void refusesAnotherNumberThanWasWritten() {
        protocol.dataArrived(100, 10);
        assertViolation("announced 100 bytes but wrote 10");
    }

    @Test
    void givesWhatHasArrivedBeforeAnErrorOrTheEnd() {
        arrive(3);
        protocol.end();
        assertThat(read(2)).isEqualTo(2);
        assertThat(read(2)).isOne();
        assertThat(read(2)).isEqualTo(-1);
        assertThatThrownBy(() -> write(1)).hasMessageContaining("closed the connection");
    }

    @Test
    void doesNotTouchItsBuffersAfterItIsClosed() {
        announce(100);
        arrive(3);
        protocol.close(() -> new IllegalStateException("closed"));
        assertThatThrownBy(() -> read(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> write(1)).isInstanceOf(IllegalStateException.class);
        assertThat(writes).isEmpty();
    }

    private static void complete(List<Runnable> done) {
        done.forEach(Runnable::run);
    }

    @Test
    void servesReadsInTheirOrder() {
        var first = new Pending<Integer>(ByteBuffer.allocate(2), (_, _) -> false);
        var second = new Pending<Integer>(ByteBuffer.allocate(2), (_, _) -> false);
        protocol.add(first);
        protocol.add(second);
        arrive(3);
        complete(protocol.advance());
        assertThat(first).isCompletedWithValue(2);
        assertThat(second).isCompletedWithValue(1);
    }

    @Test
    void servesAWriteInParts() {
        var pending = new Pending<@org.jspecify.annotations.Nullable Void>(ByteBuffer.allocate(150), (_, _) -> false);
        announce(100);
        protocol.addWrite(pending);
        complete(protocol.advance());
        assertThat(pending).isNotDone();
        assertThat(protocol.withdraw(pending, false)).as("bytes of it are written").isFalse();
        announce(100);
        complete(protocol.advance());
        assertThat(pending).isCompleted();
        assertThat(protocol.hasWrites()).isFalse();
    }

    @Test
    void withdrawsWhatHasNotBegun() {
        var read = new Pending<Integer>(ByteBuffer.allocate(2), protocol::withdraw);
        protocol.add(read);
        assertThat(read.cancel(true)).isTrue();
        arrive(1);
        complete(protocol.advance());
        assertThat(read(2)).as("the byte is still there").isOne();
        assertThat(read.cancel(true)).isFalse();
        var write = new Pending<@org.jspecify.annotations.Nullable Void>(
                ByteBuffer.allocate(2), protocol::withdraw);
        protocol.addWrite(write);
        complete(protocol.advance()); // the server has announced no buffer
        assertThat(protocol.hasWrites()).isTrue();
        assertThat(write.cancel(true)).isTrue();
        assertThat(protocol.hasWrites()).isFalse();
    }

    /// A failure before the announcement is the answer to the attempt to connect.
    @Test
    void isRefusedOnlyBeforeTheAnnouncement() {
        assertThat(protocol.refusal()).isNull();
        protocol.end();
        assertThat(protocol.isAnswered()).isTrue();
        assertThat(protocol.refusal()).isInstanceOf(VerbsException.class)
                .hasMessageContaining("the server has closed the connection");
        protocol.fail(() -> new IllegalStateException("first"));
        protocol.fail(() -> new IllegalStateException("second"));
        assertThat(protocol.refusal()).hasMessage("first");
        announce(100);
        assertThat(protocol.refusal()).isNull();
        assertThatThrownBy(() -> write(1)).hasMessage("first");
    }

    @Test
    void failsWhatWaits() {
        var read = new Pending<Integer>(ByteBuffer.allocate(2), (_, _) -> false);
        var write = new Pending<@org.jspecify.annotations.Nullable Void>(ByteBuffer.allocate(2), (_, _) -> false);
        protocol.add(read);
        protocol.addWrite(write);
        protocol.controlArrived(message(9), ControlMessage.BYTES);
        complete(protocol.advance());
        assertThat(List.of(read, write)).allMatch(CompletableFuture::isCompletedExceptionally);
    }
}
