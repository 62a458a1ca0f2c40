// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.course;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each program of the course prints what its page says.
@DeviceTest
@Needs.OneKernel
class CourseIT {
    private static final Path REPOSITORY = Repository.folder();

    private static final Programs PROGRAMS = new Programs(REPOSITORY);

    /// Programs that look beside their device, and what at.
    static final Map<String, String> NEED_A_KERNEL = Map.of(
            "PinMemory", "pinned memory in /proc",
            "Packets", "a network interface to capture from",
            "PortEvents", "iproute2, which changes a network interface",
            "Handshake", "a network interface to capture from");

    @AfterAll
    static void close() throws IOException {
        PROGRAMS.close();
    }

    static List<Chapter.Program> all() {
        return Chapter.programs(REPOSITORY);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("all")
    void printsWhatThePageSays(Chapter.Program program) {
        RealKernel.Condition.skipOnSimulatedDevices(NEED_A_KERNEL.get(program.name()));
        var page = new Page(Chapter.read(program.chapter().page()));
        List<String> shown = page.blocks("output", program.name());
        assertThat(shown).as("blocks <!-- output %s.java --> of %s", program.name(), program.chapter().page())
                .hasSize(1);
        assertThat(Output.normalized(PROGRAMS.run(program)))
                .as("what %s prints; `tools/course --update` puts it into the page", program)
                .isEqualTo(Output.normalized(shown.getFirst()));
    }
}
