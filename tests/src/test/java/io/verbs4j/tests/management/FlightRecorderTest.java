// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.OpenFile;
import io.verbs4j.bench.NullDevice;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests what a flight recording holds of a program on a device that does nothing.
class FlightRecorderTest {
    @TempDir private Path folder;

    /// Posts one send after the other until the queue is full.
    private static int work() {
        try (Context context = OpenFile.asRxe(new NullDevice())) {
            var domain = context.allocateProtectionDomain();
            var memory = domain.allocate(4096, Access.LOCAL_WRITE);
            var pair = domain.reliableConnection(context.createCompletionQueue(16)).create();
            for (QueuePairState state : List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS)) {
                pair.modify(QueuePairAttributes.builder().state(state).build());
            }
            int posted = 0;
            while (true) {
                try (var batch = pair.beginSend()) {
                    if (!batch.send().local(memory, 0, 8).post()) {
                        return posted;
                    }
                    posted += batch.submit();
                }
            }
        }
    }

    private List<RecordedEvent> record(String... events) throws IOException {
        Path file = folder.resolve("recording.jfr");
        try (var recording = new Recording()) {
            for (String event : events) {
                recording.enable("io.verbs4j." + event);
            }
            recording.start();
            assertThat(work()).isEqualTo(127);
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file)
                .stream()
                .filter(event -> event.getEventType().getName().startsWith("io.verbs4j."))
                .toList();
    }

    @Test
    void nothingIsRecordedThatNobodyAskedFor() throws IOException {
        assertThat(record()).isEmpty();
        assertThat(FlightRecorder.getFlightRecorder().getEventTypes())
                .filteredOn(type -> type.getName().startsWith("io.verbs4j."))
                .extracting(EventType::getName, EventType::isEnabled)
                .isNotEmpty()
                .allMatch(row -> row.toList().getLast().equals(false));
    }

    @Test
    void verbsDoorbellsAndFullQueuesAreRecorded() throws IOException {
        List<RecordedEvent> events = record("Verb", "Doorbell", "QueueFull");
        assertThat(events).filteredOn(event -> event.getEventType().getName().equals("io.verbs4j.Verb"))
                .allMatch(event -> event.getString("device").equals("none") && event.getInt("errno") == 0)
                .extracting(event -> event.getString("verb"))
                .contains("get context", "allocate protection domain", "register memory", "create completion queue",
                        "create queue pair", "modify queue pair", "destroy queue pair");
        assertThat(events).filteredOn(event -> event.getEventType().getName().equals("io.verbs4j.Doorbell"))
                .hasSize(127)
                .allMatch(event -> event.getInt("workRequests") == 1);
        assertThat(events).filteredOn(event -> event.getEventType().getName().equals("io.verbs4j.QueueFull"))
                .singleElement()
                .satisfies(event -> assertThat(event.getString("queue")).isEqualTo("RC queue pair 0"));
    }
}
