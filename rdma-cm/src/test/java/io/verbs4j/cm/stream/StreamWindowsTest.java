// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// The arithmetic of rings and credits: one end's window against the other's.
class StreamWindowsTest {
    private static final long RING = 0x10000;

    /// The next event: the sender sends, the device is done with a message, the reader reads, the reader gives credits.
    private record Step(int kind, int bytes) {}

    private static Greeting greeting(int credits, int half) {
        return new Greeting(false, credits, 0, 1, 2, RING, 2, half, 0);
    }

    private static void assertBreaks(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO));
    }

    /// As the peer's rsocket lays it out (`struct rs_sge`, `struct rs_iomap`, rsocket.c of librdmacm).
    @Test
    void entriesForDirectWritesLieBehindThoseOfTheRing() {
        assertThat(StreamMemory.mappingAt(2, 0)).isEqualTo(2 * 16);
        assertThat(StreamMemory.mappingAt(2, 3)).isEqualTo(2 * 16 + 3 * 24);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(Arbitraries.integers().between(0, 3), Arbitraries.integers().between(1, 700))
                .as(Step::new)
                .list()
                .ofMaxSize(400);
    }

    /// Bytes are their own numbers in the stream, modulo a prime: each must be read where it was written.
    @Property(tries = 300)
    void whatIsSentIsReadInOrderWhateverTheOrderOfSteps(@ForAll("steps") List<Step> steps) {
        int receiveBytes = 1024;
        int queue = 6;
        int sendBytes = 4097;
        var in = new ReceiveWindow(receiveBytes, queue);
        var out = new SendWindow(sendBytes, 12, greeting(queue, receiveBytes / 2));
        byte[] ring = new byte[receiveBytes];
        var inFlight = new ArrayDeque<Long>();
        long written = 0;
        long read = 0;
        for (Step step : steps) {
            switch (step.kind()) {
                case 0 -> {
                    int bytes = out.next(step.bytes());
                    if (bytes > 0) {
                        int at = (int) (out.address() - RING);
                        for (int i = 0; i < bytes; i++) {
                            ring[at + i] = (byte) ((written + i) % 251);
                        }
                        written += bytes;
                        out.sent(bytes);
                        if (out.isReportDue()) {
                            inFlight.add(out.report());
                        }
                        in.arrived(bytes);
                    }
                }
                case 1 -> {
                    if (!inFlight.isEmpty()) {
                        out.done(inFlight.remove());
                    }
                }
                case 2 -> {
                    int bytes = Math.min(step.bytes(), in.readable());
                    for (int i = 0; i < bytes; i++) {
                        assertThat(ring[in.readAt() + i]).isEqualTo((byte) ((read + i) % 251));
                    }
                    in.read(bytes);
                    read += bytes;
                }
                default -> give(in, out);
            }
            assertThat(in.waiting()).isEqualTo((int) (written - read));
        }
        // Nothing is stuck: with all reports handled, and everything read and given back, there is room again.
        while (!inFlight.isEmpty()) {
            out.done(inFlight.remove());
        }
        while (in.readable() > 0) {
            in.read(in.readable());
        }
        give(in, out);
        give(in, out);
        assertThat(out.next(1)).isEqualTo(1);
        out.done(out.report());
        assertThat(out.isIdle()).isTrue();
    }

    private static void give(ReceiveWindow in, SendWindow out) {
        if (in.isUpdateDue()) {
            out.credits(in.limit());
            if (in.offersHalf()) {
                out.offer(RING + in.freedAt(), 2, in.half());
            }
            in.updated();
        }
    }

    @Test
    void creditsWrapAroundAt65536() {
        var in = new ReceiveWindow(4096, 384);
        var out = new SendWindow(4096, 384, greeting(384, 2048));
        for (int i = 0; i < 70_000; i++) {
            assertThat(out.next(1)).as("message %s", i).isEqualTo(1);
            out.sent(1);
            in.arrived(1);
            out.done(out.report());
            in.read(1);
            give(in, out);
        }
    }

    @Test
    void withoutCreditsNothingMayBeSent() {
        var out = new SendWindow(4096, 384, greeting(2, 2048));
        out.sent(out.next(5));
        out.sent(out.next(5));
        assertThat(out.next(5)).isZero();
        out.credits(3);
        assertThat(out.next(5)).isEqualTo(5);
    }

    @Test
    void aPeerMayNotSendMoreThanItWasOffered() {
        var in = new ReceiveWindow(4096, 2);
        assertBreaks(() -> in.arrived(0));
        assertBreaks(() -> in.arrived(2049));
        in.arrived(2000);
        assertBreaks(() -> in.arrived(49));
        assertThatThrownBy(() -> in.arrived(49))
                .hasMessageContaining("it reported 49 written bytes, but 48 were free");
        in.arrived(48);
        assertBreaks(() -> in.arrived(1));
    }

    @Test
    void aPeerMayUseEachHalfOnceAfterItWasOffered() {
        var in = new ReceiveWindow(4096, 8);
        in.arrived(2048);
        assertBreaks(() -> in.arrived(1));
        in.updated();
        in.arrived(2048);
        assertBreaks(() -> in.arrived(1));
        in.read(2047);
        in.updated();
        assertBreaks(() -> in.arrived(1));
        in.read(1);
        in.updated();
        in.arrived(2048);
    }

    @Test
    void aPeerMayNotCrossTheMiddleOfTheRing() {
        var in = new ReceiveWindow(4096, 8);
        in.updated();
        in.arrived(2047);
        assertBreaks(() -> in.arrived(2));
        assertThatThrownBy(() -> in.arrived(2)).hasMessageContaining("it reported 2 written bytes, but 1 were free");
        in.arrived(1);
        in.arrived(2048);
    }

    @Test
    void aPeerMayNotOfferMoreThanItsTableHolds() {
        var out = new SendWindow(4096, 384, greeting(2, 2048));
        assertBreaks(() -> out.offer(RING, 2, 0));
        assertBreaks(() -> out.offer(RING, 2, -1));
        out.offer(RING, 2, 2048);
        assertBreaks(() -> out.offer(RING, 2, 2048));
    }
}
