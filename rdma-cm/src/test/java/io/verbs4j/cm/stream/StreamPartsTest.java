// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.ResourceLimitException;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares options, states, failures, and windows of streams with tables.
class StreamPartsTest {
    private static final long RING = 0x10000;

    @Test
    void optionsAreWhatWasSet() {
        StreamOptions defaults = StreamOptions.defaults();
        var source = new InetSocketAddress("10.9.0.2", 1);
        try (StreamGroup group = StreamGroup.create(1)) {
            assertThat(defaults).isEqualTo(
                    new StreamOptions(
                            Duration.ofSeconds(30), Duration.ofDays(365), Duration.ofSeconds(10), 131_072, 131_072, 0,
                            384, null, null));
            var all = new StreamOptions(
                    Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3), 5000, 6000, 7, 8, source,
                    group);
            List<UnaryOperator<StreamOptions>> setters = List.of(
                    options -> options.withConnectTimeout(Duration.ofSeconds(1)),
                    options -> options.withTimeout(Duration.ofSeconds(2)),
                    options -> options.withDrain(Duration.ofSeconds(3)),
                    options -> options.withBuffers(5000, 6000),
                    options -> options.withSource(source),
                    options -> options.withMappings(7),
                    options -> options.withMessages(8),
                    options -> options.withGroup(group));
            StreamOptions set = defaults;
            for (UnaryOperator<StreamOptions> setter : setters) {
                assertThat(setter.apply(all)).as("changes nothing else").isEqualTo(all);
                set = setter.apply(set);
            }
            assertThat(set).isEqualTo(all);
        }
    }

    @Test
    void theReceiveRingHasTwoHalves() {
        assertThatThrownBy(() -> StreamOptions.defaults().withBuffers(4097, 4097))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("receiveBytes=4097 is odd");
        assertThat(StreamOptions.defaults().withBuffers(4097, 4098).sendBytes()).isEqualTo(4097);
    }

    /// The states after the peer's end, the own end, the peer's close and a break.
    @ParameterizedTest
    @CsvSource({
            "OPEN,         INPUT_ENDED,  OUTPUT_ENDED, PEER_CLOSED, BROKEN,      standing open",
            "INPUT_ENDED,  INPUT_ENDED,  BOTH_ENDED,   PEER_CLOSED, PEER_CLOSED, standing open input-ended",
            "OUTPUT_ENDED, BOTH_ENDED,   OUTPUT_ENDED, PEER_CLOSED, BROKEN,      standing open output-ended",
            "BOTH_ENDED,   BOTH_ENDED,   BOTH_ENDED,   PEER_CLOSED, PEER_CLOSED, standing open input-ended output-ended",
            "PEER_CLOSED,  PEER_CLOSED,  PEER_CLOSED,  PEER_CLOSED, PEER_CLOSED, open input-ended",
            "BROKEN,       BROKEN,       BROKEN,       BROKEN,      BROKEN,      open",
            "CLOSING,      CLOSING,      CLOSING,      CLOSED,      CLOSED,      standing",
            "CLOSED,       CLOSED,       CLOSED,       CLOSED,      CLOSED,      ''",
    })
    void states(StreamState state, StreamState peersEnd, StreamState ownEnd, StreamState peersClose,
            StreamState broken, String properties) {
        assertThat(
                List.of(state.afterPeersEnd(), state.afterOwnEnd(), state.afterPeersClose(), state.afterBreak()))
                .containsExactly(peersEnd, ownEnd, peersClose, broken);
        String is = (state.isStanding() ? "standing " : "") + (state.isOpen() ? "open " : "")
                + (state.isInputEnded() ? "input-ended " : "") + (state.isOutputEnded() ? "output-ended" : "");
        assertThat(is.strip()).isEqualTo(properties);
    }

    @Test
    void failuresNameTheirCauseAndRemedy() {
        var expected = new LinkedHashMap<VerbsException, Map.Entry<Integer, String>>();
        expected.put(
                StreamFailures.protocol("it lies"),
                Map.entry(Errno.EPROTO, "the peer violates the rsockets protocol: it lies; close the stream"));
        expected.put(
                StreamFailures.version(7),
                Map.entry(Errno.EPROTONOSUPPORT,
                        "the peer uses version 7 of the rsockets protocol, this end version 1; check that the peer"
                                + " uses rsockets or RdmaStream"));
        expected.put(
                StreamFailures.failed(CompletionStatus.REMOTE_ACCESS_ERROR),
                Map.entry(Errno.ECONNRESET,
                        "a work request failed: REMOTE_ACCESS_ERROR; the peer is gone, or announced memory that it"
                                + " has not registered"));
        expected.put(
                StreamFailures.reset(),
                Map.entry(Errno.ECONNRESET,
                        "the connection has ended without the peer having closed the stream: its program has died,"
                                + " or its device is gone"));
        expected.put(
                StreamFailures.peerClosed(),
                Map.entry(Errno.ECONNRESET, "the peer has closed the stream, and accepts no more bytes"));
        expected.put(StreamFailures.timeout("read", "wait"), Map.entry(Errno.ETIMEDOUT, "wait"));
        expected.put(
                StreamFailures.noMapping(5),
                Map.entry(Errno.ENOSPC,
                        "the peer has room for 5 mappings, and none is free; close one, or let the peer offer more"
                                + " (StreamOptions.withMappings, RDMA_IOMAPSIZE in C)"));
        expected.put(
                StreamFailures.notMapped(9),
                Map.entry(Errno.EINVAL, "the peer has mapped nothing at offset 9"));
        expected.forEach((failure, cause) -> {
            assertThat(failure).hasMessageEndingWith(
                    " failed: " + Errno.describe(cause.getKey()) + ": " + cause.getValue());
            assertThat(failure.errno()).isEqualTo(cause.getKey());
        });
        assertThat(StreamFailures.version(2)).isInstanceOf(NotSupportedException.class);
    }

    @Test
    void aGroupLimitsTheRingsOfItsStreams() {
        assertThatThrownBy(() -> StreamGroup.create(0)).hasMessageStartingWith("maxRingBytes=0 is not in 1..");
        try (StreamGroup group = StreamGroup.create(100)) {
            group.reserve(60);
            group.reserve(40);
            assertThat(group.ringBytes()).isEqualTo(100);
            group.release(40);
            assertThatThrownBy(() -> group.reserve(41)).isInstanceOf(ResourceLimitException.class)
                    .hasMessageEndingWith(
                            "60 of 100 bytes are in use by other streams of the group, and 41 are needed; raise the"
                                    + " limit, or use smaller rings (StreamOptions.withBuffers)");
            assertThat(group.ringBytes()).isEqualTo(60);
        }
    }

    @Test
    void aClosedGroupConnectsNoMore() {
        StreamGroup group = StreamGroup.create(1);
        group.close();
        var options = StreamOptions.defaults().withGroup(group);
        assertThatThrownBy(() -> RdmaStream.connect(new InetSocketAddress("10.9.0.1", 1), options))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the connection group is closed");
    }

    @Test
    void mappingsAreFoundByTheirOffsets() {
        var mappings = new PeerMappings(3);
        assertThat(mappings.count()).isEqualTo(3);
        assertThat(mappings.find(0)).as("before any entry was written").isEqualTo(-1);
        mappings.put(0, 100, 0x1000, 7, 10);
        mappings.put(2, 1000, 0x2000, 8, -1);
        assertThat(new int[]{mappings.find(99), mappings.find(100), mappings.find(109), mappings.find(110),
                mappings.find(1000)}).containsExactly(-1, 0, 0, -1, -1);
        assertThat(mappings.left(0, 103)).isEqualTo(7);
        assertThat(mappings.address(0, 103)).isEqualTo(0x1003);
        assertThat(mappings.key(0)).isEqualTo(7);
        mappings.put(2, 1000, 0x2000, 8, 1);
        assertThat(mappings.find(1000)).isEqualTo(2);
        assertThat(mappings.key(2)).isEqualTo(8);
        mappings.put(0, Long.MIN_VALUE, 0x1000, 7, 4096);
        assertThat(new int[]{mappings.find(4096), mappings.find(Long.MIN_VALUE + 4095)}).containsExactly(-1, 0);
    }

    private static Greeting greeting(int credits, int bytes) {
        return new Greeting(false, credits, 0, 1, 2, RING, 2, bytes, 0);
    }

    /// As rsockets in C, a message needs room for 2048 bytes in the own ring, or for all of a smaller ring.
    @Test
    void aMessageNeedsRoomInTheOwnRing() {
        var out = new SendWindow(4096, 9, greeting(9, 8000));
        assertThat(out.next(5000)).isEqualTo(4096);
        out.sent(2048);
        long first = out.report();
        assertThat(out.next(5000)).isEqualTo(2048);
        assertThat(out.nextDirect(5000)).isEqualTo(2048);
        out.sentDirect(1);
        assertThat(out.next(5000)).isZero();
        assertThat(out.nextDirect(5000)).isZero();
        assertThat(out.ringAt()).isEqualTo(2049);
        long second = out.report();
        out.done(first);
        assertThat(out.next(5000)).as("to the end of the ring").isEqualTo(2047);
        assertThat(out.address()).isEqualTo(RING + 2048);
        assertThat(out.key()).isEqualTo(2);
        assertThat(out.isIdle()).isFalse();
        out.done(second);
        assertThat(out.isIdle()).isTrue();
        var small = new SendWindow(100, 9, greeting(9, 8000));
        small.sent(1);
        assertThat(small.next(1)).isZero();
        assertThat(small.nextDirect(1)).isZero();
        small.done(small.report());
        assertThat(small.next(200)).isEqualTo(99);
    }

    @Test
    void eachMessageNeedsASlotAndACredit() {
        var out = new SendWindow(100_000, 2, greeting(1, 8000));
        assertThat(out.mayAnnounce()).isTrue();
        out.announced();
        assertThat(out.mayAnnounce()).as("without a credit").isFalse();
        assertThat(out.next(1)).isZero();
        assertThat(out.nextDirect(1)).as("needs no credit").isOne();
        out.credits(0x1_0005);
        assertThat(out.mayAnnounce()).isTrue();
        assertThat(out.next(1)).isOne();
        out.sentDirect(1);
        assertThat(out.mayAnnounce()).as("without a slot").isFalse();
        assertThat(out.next(1) + out.nextDirect(1)).isZero();
        out.done(out.report());
        assertThat(out.next(1)).isOne();
    }

    /// The window has two segments of the peer's ring, and moves on when the first is full.
    @Test
    void segmentsFollowEachOther() {
        var out = new SendWindow(100_000, 9, greeting(9, 10));
        out.offer(2 * RING, 3, 20);
        assertThat(out.next(100)).isEqualTo(10);
        out.sent(10);
        assertThat(out.address()).isEqualTo(2 * RING);
        assertThat(out.key()).isEqualTo(3);
        out.offer(3 * RING, 4, 30);
        assertThat(out.next(100)).isEqualTo(20);
        out.sent(20);
        assertThat(out.address()).isEqualTo(3 * RING);
        out.sent(30);
        assertThat(out.next(100)).as("all are full").isZero();
    }

    @Test
    void creditsAndHalvesAreGivenWhenTheyAreDue() {
        var in = new ReceiveWindow(100, 4);
        assertThat(in.half()).isEqualTo(50);
        assertThat(in.offersHalf()).as("the second half is not offered yet").isTrue();
        assertThat(in.freedAt()).isEqualTo(50);
        assertThat(in.limit()).isEqualTo(4);
        in.updated();
        assertThat(in.isUpdateDue()).isFalse();
        for (int message = 0; message < 2; message++) {
            assertThat(in.isUpdateDue()).isFalse();
            in.arrived(2);
            in.read(1);
            assertThat(in.limit()).as("half a message is read").isEqualTo(4 + message);
            in.read(1);
            assertThat(in.limit()).isEqualTo(5 + message);
        }
        assertThat(in.isUpdateDue()).as("half of the credits").isTrue();
        assertThat(in.offersHalf()).isFalse();
        in.updated();
        in.arrived(46);
        in.read(45);
        assertThat(in.offersHalf()).isFalse();
        in.read(1);
        assertThat(in.offersHalf()).isTrue();
        assertThat(in.freedAt()).isZero();
    }

    private static void assertRefused(Greeting greeting, String text) {
        PrivateData data = greeting.encode();
        assertThatThrownBy(() -> Greeting.decode(data)).isInstanceOf(VerbsException.class)
                .hasMessageContaining(": " + text + ";");
    }

    @Test
    void aGreetingIsRefusedByName() {
        assertRefused(new Greeting(false, 1, 1, 2, -1, 3, 4, 1, 0), "its table has 4294967295 entries");
        assertRefused(new Greeting(false, 1, 1, 2, 2, 3, 4, 0, 0), "its ring has 0 bytes");
        assertRefused(new Greeting(false, 1, 1, 2, 2, 3, 4, -1, 0), "its ring has 4294967295 bytes");
        assertThatThrownBy(() -> Greeting.decode(PrivateData.of(new byte[]{1, 2})))
                .hasMessageContaining(": its private data has 2 bytes, not 40;");
        assertThatThrownBy(() -> Greeting.decode(PrivateData.of(new byte[]{(byte) 200})))
                .hasMessageContaining("the peer uses version 200 of");
    }

    /// Above 128, the highest bit marks units of 256; without the flag there are none (librdmacm/rsocket.c).
    @ParameterizedTest
    @CsvSource({"2, 0, 0", "2, 127, 127", "2, 128, 128", "2, 129, 256", "2, 255, 32512", "3, 1, 1", "1, 5, 0",
            "0, 5, 0"})
    void theNumberOfMappingsIsScaled(int flags, int encoded, int mappings) {
        byte[] bytes = greeting(1, 1).encode().bytes();
        bytes[1] = (byte) flags;
        bytes[7] = (byte) encoded;
        Greeting decoded = Greeting.decode(PrivateData.of(bytes));
        assertThat(decoded.mappings()).isEqualTo(mappings);
        assertThat(decoded.bigEndian()).isEqualTo(flags % 2 == 1);
    }
}
