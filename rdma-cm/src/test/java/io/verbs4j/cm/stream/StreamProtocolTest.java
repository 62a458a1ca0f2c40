// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The protocol of both ends, without a device and without waiting.
class StreamProtocolTest {
    private static final StreamOptions OPTIONS = StreamOptions.defaults().withBuffers(4096, 4096);

    private static final VerbsException REFUSAL = new VerbsException("post send", Errno.ENOMEM, "");

    private final MemoryWire wire = new MemoryWire(OPTIONS);
    private final MemoryWire.End here = wire.here;
    private final MemoryWire.End there = wire.there;

    /// In another thread, which would wait for a lock that a failed call has left.
    @AfterEach
    void finish() throws Exception {
        for (MemoryWire.End end : List.of(here, there)) {
            CompletableFuture.runAsync(() -> end.reader.finish(() -> end.locked(end.writer::finish)))
                    .get(20, TimeUnit.SECONDS);
        }
    }

    /// The next event: either end writes, reads, or its oldest message arrives.
    private record Step(int kind, boolean here, int bytes) {}

    /// One direction of the stream. Bytes are their own numbers, modulo a prime.
    private static final class Direction {
        private final MemoryWire.End from;
        private final MemoryWire.End to;
        private long written;
        private long read;

        Direction(MemoryWire.End from, MemoryWire.End to) {
            this.from = from;
            this.to = to;
        }

        void write(int count, boolean direct) {
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(count) : ByteBuffer.allocate(count);
            for (int i = 0; i < count; i++) {
                buffer.put((byte) ((written + i) % 251));
            }
            buffer.flip();
            ByteBuffer first = buffer.duplicate().limit(count / 3);
            buffer.position(count / 3);
            long sent = from.writer.write(new ByteBuffer[]{first, ByteBuffer.allocate(0), buffer}, 0, 3);
            assertThat(first.remaining() + (long) buffer.remaining()).isEqualTo(count - sent);
            written += sent;
        }

        void read(int count, boolean direct) {
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(count) : ByteBuffer.allocate(count);
            int taken = to.reader.read(buffer);
            assertThat(buffer.flip().remaining()).isEqualTo(taken);
            while (buffer.hasRemaining()) {
                assertThat(buffer.get()).isEqualTo((byte) (read++ % 251));
            }
        }
    }

    private static void assertFails(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private int read(MemoryWire.End end) {
        return end.reader.read(MemorySegment.ofArray(new byte[100]), 0, 100);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                Arbitraries.integers().between(0, 4), Arbitraries.of(true, false),
                Arbitraries.integers().between(1, 6000))
                .as(Step::new)
                .list()
                .ofMaxSize(300);
    }

    @Property(tries = 200)
    void bothDirectionsKeepTheirOrderWhateverArrivesWhen(@ForAll("steps") List<Step> steps) {
        var random = new MemoryWire(OPTIONS);
        var out = new Direction(random.here, random.there);
        var back = new Direction(random.there, random.here);
        for (Step step : steps) {
            Direction direction = step.here() ? out : back;
            boolean direct = step.bytes() % 2 == 0;
            switch (step.kind()) {
                case 0 -> direction.write(step.bytes(), direct);
                case 1 -> direction.read(step.bytes(), direct);
                default -> direction.from.deliver();
            }
        }
        for (Direction direction : List.of(out, back)) {
            long before = direction.written;
            while (direction.written == before) { // nothing is stuck
                random.settle();
                direction.read(5000, false);
                random.settle();
                direction.write(2048, true);
            }
            random.settle();
            direction.read(5000, false);
            random.settle();
            direction.read(5000, false);
            assertThat(direction.read).isEqualTo(direction.written);
        }
    }

    /// The first message of a write has `RS_OLAP_START_SIZE` bytes. Each following one has twice as many, up to
    /// `RS_MAX_TRANSFER` (librdmacm/rsocket.c).
    @Test
    void messagesOfOneWriteGrow() {
        StreamOptions large = OPTIONS.withBuffers(1 << 20, 1 << 20);
        List<Integer> sizes = List.of(2048, 4096, 8192, 16_384, 32_768, 65_536, 65_536, 5);
        int length = sizes.stream().mapToInt(Integer::intValue).sum();
        MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
        MemoryWire.End end = new MemoryWire(large).here;
        end.posted.clear();
        assertThat(end.writer.write(bytes, 0, length, 0)).isEqualTo(length);
        assertThat(end.posted.stream().map(Immediate::value)).containsExactlyElementsOf(sizes);
        end.posted.clear();
        assertThat(end.writer.write(new ByteBuffer[]{bytes.asByteBuffer()}, 0, 1)).isEqualTo(length);
        assertThat(end.posted.stream().map(Immediate::value)).containsExactlyElementsOf(sizes);
        end.posted.clear();
        assertThat(end.writer.write(bytes, 1, 65_537, 1)).as("continues a write").isEqualTo(65_537);
        assertThat(end.posted.stream().map(Immediate::value)).containsExactly(65_536, 1);
    }

    @Test
    void smallBuffersTravelInOneMessage() {
        here.posted.clear();
        ByteBuffer[] buffers = new ByteBuffer[100];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.wrap(new byte[]{(byte) i, (byte) -i});
        }
        assertThat(here.writer.write(buffers, 0, buffers.length)).isEqualTo(200);
        assertThat(here.posted).containsExactly(Immediate.of(Immediate.DATA, 200));
    }

    @Test
    void aBufferThatIsInTheRangeTwiceIsSentOnceAndNoOtherBufferIsSent() {
        ByteBuffer other = ByteBuffer.allocate(100);
        for (int first = 0; first < 2; first++) {
            here.posted.clear();
            ByteBuffer twice = ByteBuffer.allocate(100);
            ByteBuffer[] buffers = first == 0 ? new ByteBuffer[]{twice, twice, other}
                    : new ByteBuffer[]{other, twice, twice};
            assertThat(here.writer.write(buffers, first, 2)).isEqualTo(100);
            assertThat(here.posted).containsExactly(Immediate.of(Immediate.DATA, 100));
            assertThat(twice.position()).isEqualTo(100);
            assertThat(other.position()).isZero();
        }
    }

    @Test
    void readinessIsWhatReturnsAtOnce() {
        wire.settle();
        assertThat(here.readiness()).isEqualTo(Readiness.WRITE | Readiness.WRITE_MAPPED | Readiness.MAP);
        here.write(new byte[4096]);
        assertThat(here.readiness()).isEqualTo(Readiness.MAP);
        wire.settle();
        assertThat(here.readiness() & Readiness.WRITE).as("both halves of the peer's ring are full").isZero();
        assertThat(there.readiness() & Readiness.READ).isEqualTo(Readiness.READ);
        while (read(there) > 0) {
            wire.settle();
        }
        assertThat(there.readiness() & Readiness.READ).isZero();
        assertThat(here.readiness() & Readiness.WRITE).isEqualTo(Readiness.WRITE);
    }

    @Test
    void bytesThatArrivedBeforeAResetAreRead() {
        here.write(new byte[30]);
        wire.settle();
        there.breaks();
        assertThat(read(there)).isEqualTo(30);
        assertFails(Errno.ECONNRESET, () -> read(there));
        assertFails(Errno.ECONNRESET, () -> there.write(new byte[1]));
    }

    @Test
    void bytesThatArrivedBeforeABreachOfTheProtocolAreRead() {
        here.write(new byte[30]);
        wire.settle();
        there.completed(StreamProtocol.RECEIVE, CompletionStatus.SUCCESS, 1 << 29, 0);
        assertThat(read(there)).isEqualTo(30);
        assertFails(Errno.EPROTO, () -> read(there));
    }

    @Test
    void theEndOfTheStreamStaysItsEndWhenTheConnectionBreaks() {
        here.locked(here.protocol::endOutput);
        wire.settle();
        assertThat(read(there)).isEqualTo(-1);
        there.breaks();
        assertThat(read(there)).isEqualTo(-1);
        assertFails(Errno.ECONNRESET, () -> there.write(new byte[1]));
    }

    @Test
    void theOtherDirectionGoesOnAfterTheEndOfOne() {
        here.locked(here.protocol::endOutput);
        wire.settle();
        assertThat(there.write(new byte[7])).isEqualTo(7);
        wire.settle();
        assertThat(read(here)).isEqualTo(7);
        assertThatThrownBy(() -> here.write(new byte[1])).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aWriteAfterThePeersCloseFails() {
        here.locked(here.protocol::close);
        wire.settle();
        assertThat(there.readiness()).isEqualTo(
                Readiness.READ | Readiness.WRITE | Readiness.WRITE_MAPPED | Readiness.MAP);
        assertThat(read(there)).isEqualTo(-1);
        assertFails(Errno.ECONNRESET, () -> there.write(new byte[1]));
    }

    @Test
    void aClosedEndIsDoneWhenEverythingHasArrived() {
        here.write(new byte[10]);
        here.locked(here.protocol::close);
        assertThat(here.posted).endsWith(Immediate.of(Immediate.CONTROL, Immediate.DISCONNECT));
        assertThat(here.readiness() & Readiness.DONE).isZero();
        assertThatThrownBy(() -> read(here)).isInstanceOf(IllegalStateException.class);
        wire.settle();
        assertThat(here.readiness() & Readiness.DONE).isEqualTo(Readiness.DONE);
        assertThat(read(there)).isEqualTo(10);
        assertThat(read(there)).isEqualTo(-1);
    }

    @Test
    void theFarewellWaitsForRoomAmongTheControlMessages() {
        wire.settle();
        for (int i = 0; i < StreamMemory.CONTROLS; i++) { // each half that is read is offered anew
            there.write(new byte[2048]);
            there.deliver();
            assertThat(here.reader.read(ByteBuffer.allocate(2048))).isEqualTo(2048);
            here.arrive();
        }
        int farewell = Immediate.of(Immediate.CONTROL, Immediate.DISCONNECT);
        here.locked(here.protocol::close);
        assertThat(here.posted).doesNotContain(farewell);
        here.complete();
        assertThat(here.posted).endsWith(farewell);
        here.complete();
        wire.settle();
        here.complete();
        here.complete();
        assertThat(here.readiness() & Readiness.DONE).isEqualTo(Readiness.DONE);
    }

    /// Like every message, a mapping uses a credit.
    @Test
    void theCreditsOfMappingsAreReturned() {
        var mapped = new MemoryWire(OPTIONS.withMappings(1).withMessages(8));
        mapped.settle();
        mapped.here.posted.clear();
        for (int i = 0; i < 4; i++) {
            mapped.there.signal(StreamProtocol.UNREPORTED, Immediate.of(Immediate.IOMAP, 0));
            mapped.settle();
        }
        assertThat(mapped.here.posted).containsExactly(Immediate.of(Immediate.CREDITS, 12));
    }

    /// Later bytes would have wrong positions in the peer's ring.
    @ParameterizedTest
    @EnumSource
    void nothingMoreIsSentAfterAPostThatFailed(Refused refused) {
        wire.settle();
        there.write(new byte[2048]);
        there.arrive();
        here.posted.clear();
        here.refuse(REFUSAL);
        refused.action.accept(here);
        here.refuse(null);
        assertFails(Errno.ENOMEM, () -> here.write(new byte[1]));
        while (here.reader.available() > 0) {
            read(here);
        }
        assertFails(Errno.ENOMEM, () -> read(here));
        assertThat(here.readiness())
                .isEqualTo(Readiness.READ | Readiness.WRITE | Readiness.WRITE_MAPPED | Readiness.MAP);
        here.locked(here.protocol::close);
        assertThat(here.posted).isEmpty();
        assertThat(here.readiness() & Readiness.DONE).isEqualTo(Readiness.DONE);
    }

    /// Calls at an end that has 2048 bytes to read, and can post nothing.
    private enum Refused {
        BYTES(end -> assertFails(Errno.ENOMEM, () -> end.write(new byte[1]))),
        CREDITS(end -> assertThat(end.reader.read(ByteBuffer.allocate(2048))).isEqualTo(2048)),
        RECEIVE(end -> end.completed(
                StreamProtocol.RECEIVE, CompletionStatus.SUCCESS, Immediate.of(Immediate.CREDITS, 384), 0)),
        END(end -> end.locked(end.protocol::endOutput));

        private final Consumer<MemoryWire.End> action;

        Refused(Consumer<MemoryWire.End> action) {
            this.action = action;
        }
    }

    /// Events and calls at the end `here`.
    private enum Happening {
        ALL_ARRIVES(MemoryWire::settle),
        PEER_ENDS(wire -> {
            wire.there.locked(wire.there.protocol::endOutput);
            wire.settle();
        }),
        PEER_CLOSES(wire -> {
            wire.there.locked(wire.there.protocol::close);
            wire.settle();
        }),
        PEER_LIES(wire -> wire.here.completed(StreamProtocol.RECEIVE, CompletionStatus.SUCCESS, 1 << 29, 0)),
        A_WRITE_FAILS(wire -> wire.here.completed(0, CompletionStatus.REMOTE_ACCESS_ERROR, 0, 0)),
        BREAKS(wire -> wire.here.breaks()),
        DISCONNECTS(wire -> wire.here.locked(() -> wire.here.protocol.broken(null))),
        ENDS_INPUT(wire -> wire.here.locked(wire.here.protocol::shutInput)),
        ENDS(wire -> wire.here.locked(wire.here.protocol::endOutput)),
        CLOSES(wire -> wire.here.locked(wire.here.protocol::close)),
        CLOSES_IN_VAIN(wire -> {
            wire.here.refuse(REFUSAL);
            wire.here.locked(wire.here.protocol::close);
        });

        private final Consumer<MemoryWire> action;

        Happening(Consumer<MemoryWire> action) {
            this.action = action;
        }
    }

    private static String ready(int readiness) {
        Map<Integer, String> names = new TreeMap<>(
                Map.of(
                        Readiness.READ, "r", Readiness.WRITE, "w", Readiness.WRITE_MAPPED, "m", Readiness.MAP, "p",
                        Readiness.DONE, "d"));
        return names.entrySet()
                .stream()
                .filter(bit -> (readiness & bit.getKey()) != 0)
                .map(Map.Entry::getValue)
                .collect(Collectors.joining());
    }

    private static String result(LongSupplier call) {
        try {
            return Long.toString(call.getAsLong());
        } catch (VerbsException e) {
            return Errno.name(e.errno());
        } catch (IllegalStateException e) {
            return e.getMessage().replaceAll("the (output of the )?stream is ", "");
        }
    }

    private static String sentEnds(MemoryWire.End end) {
        return end.posted.stream()
                .filter(immediate -> Immediate.type(immediate) == Immediate.CONTROL)
                .map(immediate -> Immediate.value(immediate) == Immediate.SHUTDOWN ? "end" : "close")
                .collect(Collectors.joining(" "));
    }

    /// 10 bytes have arrived before. The columns: the control messages that were sent, a read, the readiness afterwards
    /// (for r reading, w writing, m mapped writing, p mapping; d: the end is done), another read, a write.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PEER_ENDS                 | ''        | 10     | rwmp  | -1         | 1
            PEER_CLOSES               | ''        | 10     | rwmp  | -1         | ECONNRESET
            PEER_LIES                 | ''        | 10     | rwmp  | EPROTO     | EPROTO
            A_WRITE_FAILS             | ''        | 10     | rwmp  | ECONNRESET | ECONNRESET
            BREAKS                    | ''        | 10     | rwmp  | ECONNRESET | ECONNRESET
            DISCONNECTS               | ''        | 10     | rwmp  | ECONNRESET | ECONNRESET
            ENDS_INPUT                | ''        | -1     | rwmp  | -1         | 1
            ENDS_INPUT BREAKS         | ''        | -1     | rwmp  | -1         | ECONNRESET
            ENDS                      | end       | 10     | wmp   | 0          | shut down
            CLOSES                    | close     | closed | rwmp  | closed     | closed
            CLOSES_IN_VAIN            | ''        | closed | rwmpd | closed     | closed
            PEER_ENDS ENDS            | end       | 10     | rwmp  | -1         | shut down
            PEER_ENDS BREAKS          | ''        | 10     | rwmp  | -1         | ECONNRESET
            PEER_ENDS PEER_CLOSES     | ''        | 10     | rwmp  | -1         | ECONNRESET
            PEER_ENDS PEER_LIES       | ''        | 10     | rwmp  | -1         | EPROTO
            PEER_ENDS CLOSES          | close     | closed | rwmp  | closed     | closed
            PEER_CLOSES ENDS          | ''        | 10     | rwmp  | -1         | ECONNRESET
            PEER_CLOSES CLOSES        | ''        | closed | rwmpd | closed     | closed
            PEER_CLOSES PEER_LIES     | ''        | 10     | rwmp  | -1         | ECONNRESET
            PEER_LIES A_WRITE_FAILS   | ''        | 10     | rwmp  | EPROTO     | EPROTO
            A_WRITE_FAILS PEER_LIES   | ''        | 10     | rwmp  | ECONNRESET | ECONNRESET
            BREAKS PEER_LIES          | ''        | 10     | rwmp  | ECONNRESET | ECONNRESET
            PEER_LIES CLOSES          | ''        | closed | rwmpd | closed     | closed
            BREAKS ENDS               | ''        | 10     | rwmp  | ECONNRESET | ECONNRESET
            BREAKS ENDS_INPUT         | ''        | -1     | rwmp  | -1         | ECONNRESET
            ENDS BREAKS               | end       | 10     | rwmp  | ECONNRESET | ECONNRESET
            ENDS PEER_CLOSES          | end       | 10     | rwmp  | -1         | ECONNRESET
            ENDS ENDS_INPUT           | end       | -1     | rwmp  | -1         | shut down
            ENDS CLOSES               | end close | closed | rwmp  | closed     | closed
            CLOSES PEER_CLOSES        | close     | closed | rwmpd | closed     | closed
            CLOSES BREAKS             | close     | closed | rwmpd | closed     | closed
            CLOSES_IN_VAIN CLOSES     | ''        | closed | rwmpd | closed     | closed
            PEER_ENDS ENDS BREAKS     | end       | 10     | rwmp  | -1         | ECONNRESET
            CLOSES_IN_VAIN DISCONNECTS | ''        | closed | rwmpd | closed     | closed
            CLOSES ALL_ARRIVES        | close     | closed | rwmpd | closed     | closed
            ENDS CLOSES ALL_ARRIVES   | end close | closed | rwmpd | closed     | closed
            CLOSES BREAKS ALL_ARRIVES | close     | closed | rwmpd | closed     | closed
        """)
    void whatAProgramGetsAfterwards(
            String happenings, String ends, String first, String ready, String second, String write) {
        there.write(new byte[10]);
        wire.settle();
        for (String happening : happenings.split(" ")) {
            Happening.valueOf(happening).action.accept(wire);
        }
        assertThat(sentEnds(here)).isEqualTo(ends);
        assertThat(result(() -> read(here))).isEqualTo(first);
        assertThat(ready(here.readiness())).isEqualTo(ready);
        assertThat(result(() -> read(here))).isEqualTo(second);
        assertThat(result(() -> here.write(new byte[1]))).isEqualTo(write);
    }
}
