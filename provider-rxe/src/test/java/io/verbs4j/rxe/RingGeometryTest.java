// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A header that no kernel writes is rejected when the ring is mapped.
class RingGeometryTest {
    private final Rings rings = new Rings();

    @AfterEach
    void close() {
        rings.close();
    }

    @Test
    void readsWhatTheHeaderSays() {
        FakeRing fake = rings.completionMemory(32768, 32767);
        fake.produce(FakeKernel.completion(1, 0, 0, 0, 17));
        RingGeometry geometry = RingGeometry.of(fake.memory(), 48, "ring");
        assertThat(geometry).isEqualTo(new RingGeometry(32767, 7, 0, 32767));
        assertThat(geometry.count()).isEqualTo(1);
    }

    @Test
    void ringOfOneSlotHoldsNothing() {
        FakeRing fake = rings.sendMemory(1, 0);
        assertThat(RingGeometry.of(fake.memory(), 208, "ring").mask()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
            "4, 8, index_mask=0x8",
            "4, -1, index_mask=0xffffffff",
            "4, 2147483647, need",
            "4, 15, need",
            "0, 5, log2_elem_size=5",
            "0, -1, log2_elem_size=-1",
            "0, 31, log2_elem_size=31",
            "0, 64, log2_elem_size=64",
            "0, 30, need",
            "0, 8, need",
            "128, 8, producer_index=8",
            "128, -1, producer_index=4294967295",
            "256, 8, consumer_index=8",
            "256, -2147483648, consumer_index=2147483648"
    })
    void refusesNonsense(long offset, int value, String message) {
        MemorySegment memory = rings.completionMemory(8, 0).memory();
        memory.set(JAVA_INT, offset, value);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> RingGeometry.of(memory, 48, "completion queue"))
                .withMessageStartingWith("map completion queue failed: EPROTO")
                .withMessageContaining(message)
                .satisfies(failure -> assertThat(failure.errno()).isEqualTo(Errno.EPROTO));
    }

    @Test
    void refusesMappingsThatAreTooShortOrOdd() {
        MemorySegment memory = rings.completionMemory(8, 0).memory();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> RingGeometry.of(memory.asSlice(0, 383), 48, "ring"))
                .withMessageContaining("the mapping has 383 bytes");
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> RingGeometry.of(memory.asSlice(0, memory.byteSize() - 1), 48, "ring"))
                .withMessageContaining("need 1408 bytes, the mapping has 1407");
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> RingGeometry.of(memory.asSlice(4), 48, "ring"))
                .withMessageContaining("odd address");
    }

    /// For any four words, the ring is rejected or every slot is in the mapping.
    @Property(tries = 2000)
    void acceptedRingsStayInTheirMapping(
            @ForAll int shift, @ForAll int mask, @ForAll int producer, @ForAll int consumer, @ForAll boolean small) {
        try (var own = new Rings()) {
            MemorySegment memory = own.completionMemory(8, 0).memory();
            memory.set(JAVA_INT, 0, small ? shift & 15 : shift);
            memory.set(JAVA_INT, 4, small ? (1 << (mask & 7)) - 1 : mask);
            memory.set(JAVA_INT, 128, small ? producer & 7 : producer);
            memory.set(JAVA_INT, 256, small ? consumer & 7 : consumer);
            RingGeometry geometry;
            try {
                geometry = RingGeometry.of(memory, 48, "ring");
            } catch (VerbsException refused) {
                return;
            }
            assertThat(384 + ((geometry.mask() + 1L) << geometry.shift())).isLessThanOrEqualTo(memory.byteSize());
            assertThat(1 << geometry.shift()).isGreaterThanOrEqualTo(48);
            assertThat(geometry.producer()).isBetween(0, geometry.mask());
            assertThat(geometry.consumer()).isBetween(0, geometry.mask());
        }
    }
}
