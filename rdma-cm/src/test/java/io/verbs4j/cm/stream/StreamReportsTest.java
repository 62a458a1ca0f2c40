// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// Which messages a stream lets the device report, without a device. Each report wakes the thread that waits for the
/// peer's answer.
class StreamReportsTest {
    private static final StreamOptions OPTIONS = StreamOptions.defaults().withBuffers(4096, 4096);

    private final MemoryWire wire = new MemoryWire(OPTIONS);
    private final MemoryWire.End here = wire.here;
    private final MemoryWire.End there = wire.there;

    StreamReportsTest() {
        wire.settle();
    }

    private void exchange(int bytes) {
        exchange(wire, bytes);
    }

    private static void exchange(MemoryWire wire, int bytes) {
        MemoryWire.End here = wire.here;
        MemoryWire.End there = wire.there;
        assertThat(here.write(new byte[bytes])).isEqualTo(bytes);
        wire.settle();
        assertThat(there.reader.read(ByteBuffer.allocate(bytes))).isEqualTo(bytes);
        wire.settle();
    }

    @Test
    void oneMessageOfAQuarterOfTheSlotsOrOfTheRingIsReported() {
        int before = here.reports;
        for (int i = 0; i < OPTIONS.messages(); i++) {
            exchange(1);
        }
        assertThat(here.reports - before).as("slots").isEqualTo(4);
        before = here.reports;
        for (int i = 0; i < 16; i++) {
            exchange(256);
        }
        assertThat(here.reports - before).as("ring").isEqualTo(4);
    }

    @Test
    void eachMessageIsReportedInAGroup() {
        try (var group = StreamGroup.create(1 << 20)) {
            var grouped = new MemoryWire(OPTIONS.withGroup(group));
            grouped.settle();
            int before = grouped.here.reports;
            for (int i = 0; i < 8; i++) {
                exchange(grouped, 1);
            }
            assertThat(grouped.here.reports - before).isEqualTo(8);
        }
    }

    @Test
    void anEndThatWasResetIsDoneWhenItsBytesHaveArrived() {
        here.write(new byte[100]);
        here.posted.clear();
        here.locked(here.protocol::reset);
        assertThat(here.posted).as("reports the bytes")
                .containsExactly(Immediate.of(Immediate.CONTROL, Immediate.KEEPALIVE));
        assertThat(here.readiness() & Readiness.DONE).isZero();
        wire.settle();
        assertThat(here.readiness() & Readiness.DONE).isEqualTo(Readiness.DONE);
        assertThat(there.reader.read(ByteBuffer.allocate(200))).isEqualTo(100);
        assertThat(there.reader.read(ByteBuffer.allocate(200))).as("not the end").isZero();
        there.posted.clear();
        there.locked(there.protocol::reset);
        assertThat(there.posted).as("nothing to report").isEmpty();
        assertThat(there.readiness() & Readiness.DONE).isEqualTo(Readiness.DONE);
    }
}
