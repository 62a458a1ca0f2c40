// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests what a flight recording holds of traffic on a real device.
@DeviceTest
@Needs.NoKernel("a recording has what this process does")
class FlightRecorderIT {
    @Test
    void aMessageIsRecordedFromTheDoorbellToTheEvents(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("recording.jfr");
        int number;
        try (var recording = new Recording()) {
            for (String event : List.of("Verb", "Doorbell", "Completions", "CompletionNotification", "AsyncEvent")) {
                recording.enable("io.verbs4j." + event);
            }
            recording.start();
            try (var pair = ConnectedPair.onTheWire().withChannels().connect()) {
                number = pair.left().queuePair().number();
                pair.right().queue().requestNotification(false);
                pair.right().receive(7, 0, 64);
                pair.left().send(9, 0, 16);
                assertThat(pair.right().channel().take(Duration.ofSeconds(20))).isNotNull();
                pair.right().completions().nextSuccess();
                pair.left().completions().nextSuccess();
                assertThatThrownBy(() -> pair.left()
                        .queuePair()
                        .modify(QueuePairAttributes.builder().state(QueuePairState.INIT).build()))
                        .isInstanceOf(VerbsException.class);
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(named(events, "Verb"))
                .anyMatch(event -> event.getString("verb").equals("register memory")
                        && event.getString("device").equals("rxe0") && event.getDuration().isPositive())
                .anyMatch(event -> event.getString("verb").equals("modify queue pair")
                        && event.getInt("errno") == Errno.EINVAL && event.getString("errnoName").equals("EINVAL"));
        assertThat(named(events, "Doorbell")).singleElement()
                .satisfies(event -> assertThat(event.getInt("queuePair")).isEqualTo(number));
        assertThat(named(events, "Completions")).hasSize(2).allMatch(event -> event.getInt("count") == 1);
        assertThat(named(events, "CompletionNotification")).hasSize(1);
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream().filter(event -> event.getEventType().getName().equals("io.verbs4j." + name)).toList();
    }
}
