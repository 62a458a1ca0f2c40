// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process without a free file descriptor reads so, and does not take its devices for gone.
@DeviceTest
@RealKernel("files of a process")
@Needs.OneKernel
@Needs.LongRun("a process that uses up its descriptors")
class NoDescriptorIT {
    @SuppressWarnings("NullAway.Init") // by run()
    private static Answers answers;

    @BeforeAll
    static void run() {
        var command = new ArrayList<>(List.of("prlimit", "--nofile=100"));
        command.addAll(JavaProcess.command(DescriptorProbe.class));
        command.add(Rxe.LEFT);
        answers = Answers.of(ExternalProcess.of(command).run(Duration.ofSeconds(120)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "find", "open", "manager", "channel", "keys", "counters"})
    void isNamedAsTheReason(String question) {
        assertThat(answers.to(question + " without"))
                .startsWith("ResourceLimitException: ")
                .contains("EMFILE", "ulimit -n");
    }

    @Test
    void endsWhenOneIsFree() {
        assertThat(answers.to("list")).isEqualTo("[rxe0, rxe1]");
        assertThat(answers.to("list again")).isEqualTo("[rxe0, rxe1]");
        assertThat(answers.to("manager again")).isEqualTo("open");
    }
}
