// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/// The receive ring beside a peer that keeps to what it was offered.
class IncomingRingProperties {
    private static final int BYTES = 64;
    private static final int HALF = BYTES / 2;
    private static final int CREDITS = 6;

    /// The peer: what it may still write where, and how many messages.
    private static final class Peer {
        final MemorySegment ring;
        final int[] left = {HALF, HALF};
        int current;
        long written;
        int sent;
        int limit = CREDITS;

        Peer(MemorySegment ring) {
            this.ring = ring;
        }

        /// Writes at most as many bytes as it may in one message.
        int write(int most) {
            int size = sent == limit ? 0 : Math.min(most, left[current]);
            for (int i = 0; i < size; i++) {
                ring.set(ValueLayout.JAVA_BYTE, written++ % BYTES, (byte) (written * 7));
            }
            if (size > 0) {
                sent++;
                left[current] -= size;
                current ^= left[current] == 0 ? 1 : 0;
            }
            return size;
        }
    }

    @Property(tries = 2000)
    void aPeerThatKeepsToItsOffersNeverLosesAByteAndNeverStarves(
            @ForAll @Size(min = 1, max = 200) List<@IntRange(min = -40, max = 40) Integer> steps) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(BYTES);
            var ring = new IncomingRing(memory, CREDITS);
            var peer = new Peer(memory);
            var target = arena.allocate(BYTES);
            long read = 0;
            for (int step : steps) {
                if (step > 0) {
                    int size = peer.write(step);
                    if (size > 0) {
                        assertThat(ring.received(size)).isTrue();
                    }
                } else {
                    int size = ring.read(target, 0, -step);
                    for (int i = 0; i < size; i++) {
                        assertThat(target.get(ValueLayout.JAVA_BYTE, i)).isEqualTo((byte) (++read * 7));
                    }
                }
                assertThat(ring.available()).isEqualTo((int) (peer.written - read));
                while (ring.isCreditDue()) {
                    int half = ring.freeHalf();
                    peer.limit = ring.announce(half >= 0);
                    if (half >= 0) {
                        assertThat(peer.left[half]).as("what is left of a half that is offered again").isZero();
                        peer.left[half] = HALF;
                    }
                }
                assertThat(ring.available() > 0 || (peer.sent < peer.limit && peer.left[peer.current] > 0))
                        .as("somebody can go on")
                        .isTrue();
            }
        }
    }

    @Example
    void refusesMoreBytesThanWereOffered() {
        var ring = new IncomingRing(MemorySegment.ofArray(new byte[BYTES]), CREDITS);
        assertThat(ring.received(BYTES)).isTrue();
        assertThat(ring.received(1)).isFalse();
    }

    @Example
    void refusesMoreMessagesThanTheCreditsAllow() {
        var ring = new IncomingRing(MemorySegment.ofArray(new byte[BYTES]), CREDITS);
        for (int i = 0; i < CREDITS; i++) {
            assertThat(ring.received(1)).isTrue();
        }
        assertThat(ring.received(1)).isFalse();
    }
}
