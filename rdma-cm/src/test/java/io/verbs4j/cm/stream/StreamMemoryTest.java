// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.MemoryRegion;
import io.verbs4j.cm.MessagePair;
import io.verbs4j.cm.stream.StreamMemory.Block;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The layout of the memory that both ends access: `struct rs_sge` (address, rkey, length) and `struct rs_iomap`
/// (offset and `struct rs_sge`) of librdmacm/rsocket.c. Addresses are those of a device, not of the segments.
class StreamMemoryTest {
    private static final int SEND_BYTES = 4096;
    private static final int RECEIVE_BYTES = 6000;
    private static final int MAPPINGS = 3;
    private static final StreamOptions OPTIONS =
            StreamOptions.defaults().withBuffers(SEND_BYTES, RECEIVE_BYTES).withMappings(MAPPINGS);
    private static final int PIECE = 16;
    private static final int MAPPING = 24;
    private static final int TABLE_BYTES = 2 * PIECE + MAPPINGS * MAPPING;
    private static final int SENT_BYTES = SEND_BYTES + 4 * PIECE + MAPPING;
    private static final int WORDS = 5;
    private static final long RECEIVED_AT = 0x1_0000_0000L;
    private static final long SENT_AT = 0x2_0000_0000L;
    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();

    private final List<String> closed = new ArrayList<>();
    private final MemorySegment received = MemorySegment.ofArray(new byte[RECEIVE_BYTES + TABLE_BYTES]);
    private final MemorySegment sent = MemorySegment.ofArray(new byte[SENT_BYTES + 4 * WORDS]);
    private final StreamMemory memory = new StreamMemory(
            new Block(received, RECEIVED_AT, 1, 2, () -> closed.add("received")),
            new Block(sent, SENT_AT, 3, 4, () -> closed.add("sent")),
            OPTIONS);

    private static ByteBuffer piece(ByteOrder order, long address, int key, int length) {
        return ByteBuffer.allocate(PIECE).order(order).putLong(address).putInt(key).putInt(length).flip();
    }

    private static ByteBuffer mapping(ByteOrder order, long offset, ByteBuffer piece) {
        return ByteBuffer.allocate(MAPPING).order(order).putLong(offset).put(piece).flip();
    }

    private ByteBuffer sent(long at, int length) {
        return sent.asSlice(at, length).asByteBuffer();
    }

    private void peerWrites(int at, ByteBuffer entry) {
        received.asSlice(RECEIVE_BYTES + at, entry.remaining()).copyFrom(MemorySegment.ofBuffer(entry));
    }

    private SendWindow window() {
        return new SendWindow(SEND_BYTES, 9, new Greeting(false, 9, 0, 1, 2, 0x5000, 6, 10, 0));
    }

    @Test
    void hasRingsAndTables() {
        assertThat(StreamMemory.receivedBytes(OPTIONS)).isEqualTo(received.byteSize());
        assertThat(StreamMemory.sentBytes(OPTIONS)).isEqualTo(SENT_BYTES);
        assertThat(memory.ring().byteSize()).isEqualTo(RECEIVE_BYTES);
        assertThat(memory.sending()).isSameAs(sent);
        assertThat(memory.sendKey()).isEqualTo(3);
        assertThat(memory.sendAddress(5)).isEqualTo(SENT_AT + 5);
        assertThat(memory.greeting(9)).isEqualTo(
                new Greeting(
                        NATIVE == ByteOrder.BIG_ENDIAN, 9, RECEIVED_AT + RECEIVE_BYTES, 2, 2, RECEIVED_AT, 2,
                        RECEIVE_BYTES / 2, MAPPINGS));
        memory.close();
        assertThat(closed).containsExactlyInAnyOrder("sent", "received");
    }

    @Test
    void closesTheOtherRingIfClosingOneFails() {
        var failing = new StreamMemory(
                new Block(received, RECEIVED_AT, 1, 2, () -> closed.add("received")),
                new Block(sent, SENT_AT, 3, 4, () -> {
                    throw new IllegalStateException("refused");
                }),
                OPTIONS);
        assertThatThrownBy(failing::close).hasMessage("refused");
        assertThat(closed).containsExactly("received");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writesEntriesInThePeersByteOrder(boolean bigEndian) {
        ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        for (int control = 0; control < 4; control++) {
            long at = memory.putPiece(control, 3000, 2999, bigEndian);
            assertThat(at).isEqualTo(SEND_BYTES + control * PIECE);
            assertThat(sent(at, PIECE)).isEqualTo(piece(order, RECEIVED_AT + 3000, 2, 2999));
        }
        try (var pair = new MessagePair(); MemoryRegion region = pair.domain.allocate(50)) {
            long at = memory.putMapping(0x1122334455L, region, bigEndian);
            assertThat(at).isEqualTo(SEND_BYTES + 4 * PIECE);
            assertThat(sent(at, MAPPING)).isEqualTo(
                    mapping(order, 0x1122334455L, piece(order, region.address(), region.remoteKey(), 50)));
        }
    }

    @Test
    void takesRingSegmentsOnce() {
        for (int index = 0; index < 2; index++) {
            SendWindow window = window();
            assertThat(memory.hasPiece(index)).isFalse();
            peerWrites(index * PIECE, piece(NATIVE, 0x7000 + index, 8, 9));
            assertThat(memory.hasPiece(index)).isTrue();
            memory.takePiece(index, window);
            assertThat(memory.hasPiece(index)).isFalse();
            window.sent(10);
            assertThat(List.of(window.address(), (long) window.key(), (long) window.next(100)))
                    .containsExactly(0x7000L + index, 8L, 9L);
        }
    }

    @Test
    void takesMappings() {
        var known = new PeerMappings(MAPPINGS);
        for (int index = 0; index < MAPPINGS; index++) {
            peerWrites(
                    2 * PIECE + index * MAPPING,
                    mapping(NATIVE, 1000L * index, piece(NATIVE, 0x7000 + index, 30 + index, 40 + index)));
            assertThat(known.find(1000L * index + 1)).isEqualTo(-1);
            memory.takeMapping(index, known);
            assertThat(known.find(1000L * index + 1)).isEqualTo(index);
            assertThat(known.address(index, 1000L * index)).isEqualTo(0x7000 + index);
            assertThat(known.key(index)).isEqualTo(30 + index);
            assertThat(known.left(index, 1000L * index)).isEqualTo(40 + index);
        }
    }

    @Test
    void hasOneWordForEachMessageOverIwarp() {
        for (int word = 0; word < WORDS; word++) {
            assertThat(memory.wordAddress(word)).isEqualTo(SENT_AT + SENT_BYTES + 4 * word);
            sent.set(ValueLayout.JAVA_INT_UNALIGNED, SENT_BYTES + 4 * word, 70 + word);
            assertThat(memory.word(word)).isEqualTo(70 + word);
        }
    }
}
