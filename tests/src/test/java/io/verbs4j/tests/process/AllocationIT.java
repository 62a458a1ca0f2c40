// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Posting and polling allocate nothing: not little, nothing.
@DeviceTest
class AllocationIT {
    @SuppressWarnings("NullAway.Init") // by run()
    private static Answers answers;

    /// A process with the optimizing compiler, which the other tests do without to save time, and an impatient one.
    @BeforeAll
    static void run() throws IOException {
        var command = JavaProcess.optimizing(Files.createTempDirectory("allocation"), AllocationProbe.class);
        answers = Answers.of(ExternalProcess.of(command).run(Duration.ofSeconds(120)));
    }

    @Test
    void isZeroPerWriteAndCompletion() {
        assertThat(answers.to("writes")).isEqualTo("0 bytes in 100000 rounds");
    }

    @Test
    void isZeroPerMessageSentReceivedAndPolled() {
        assertThat(answers.to("messages")).isEqualTo("0 bytes in 20000 rounds");
    }
}
