// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The command line in a guest without rdma-core and, at first, without an RDMA device. `tools/lab test` boots a
/// separate guest for it.
@Tag("bare")
@DeviceTest
@RealKernel("a guest without libibverbs")
@Needs.OneKernel
class BareGuestIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private static void ip(String lines) {
        ExternalProcess.of("ip", "-batch", "-").input(lines).run(LIMIT).requireSuccess();
    }

    @Test
    void hasNoFileOfRdmaCore() throws IOException {
        for (Path folder : List.of(Path.of("/usr/lib/x86_64-linux-gnu"), Path.of("/usr/bin"))) {
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.map(file -> file.getFileName().toString()))
                        .noneMatch(name -> name.startsWith("libibverbs") || name.startsWith("ibv_"));
            }
        }
    }

    @Nested
    class WithoutDevices {
        @Test
        void devicesListsNothingAndSaysHowToMakeOne() {
            assertThat(ToolRun.of("devices").requireSuccess().error()).contains("no RDMA device",
                    "verbs link add rxe0");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                        "devinfo", "devinfo --json", "gids", "counters", "counters --watch 1", "resources",
                        "asyncwatch", "capture",
                        "rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong", "rc-pingpong 10.9.7.2",
                        "perf send-lat",
                        "perf write-bw 10.9.7.2", "step rc-pingpong --no-wait", "trace devinfo",
                        "trace --capture rc-pingpong"
                })
        void everyCommandThatNeedsOneFailsAndSaysTheSame(String command) {
            ToolRun.of(command.split(" ")).requireFailure(1, "no RDMA device", "verbs link add rxe0");
        }

        @ParameterizedTest
        @ValueSource(strings = {"devinfo", "gids", "doctor", "rc-pingpong", "perf send-lat", "asyncwatch"})
        void whoNamesOneReadsThatThereIsNone(String command) {
            ToolRun.of((command + " -d rxe0").split(" "))
                    .requireFailure(1, "ENODEV", "this machine has no RDMA device", "modprobe rdma_rxe");
        }

        @Test
        void linkListIsEmptyAndSaysHowToMakeOne() {
            ToolRun run = ToolRun.of("link", "list").requireSuccess();
            assertThat(run.lines()).as("the head alone").hasSize(1);
            assertThat(run.error()).contains("no RDMA device", "verbs link add rxe0");
        }

        @Test
        void doctorCallsItAnErrorAndLooksAtTheRest() {
            ToolRun run = ToolRun.of("doctor");
            assertThat(run.exitCode()).as(run::toString).isEqualTo(4);
            assertThat(run.output())
                    .contains("error    devices: this machine has no RDMA device", "verbs link add rxe0",
                            "locked memory: ",
                            "namespaces: ");
            assertThat(run.error()).isEmpty();
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class WithADevice {
        private static final String ADDRESS = "10.9.7.1";

        @BeforeAll
        static void make() {
            ip(
                    "link add bare0 type veth peer name bare1\naddr add " + ADDRESS
                            + "/24 dev bare0\nlink set bare0 up\nlink set bare1 up\n");
            ToolRun.of("link", "add", Rxe.LEFT, "--netdev", "bare0").requireSuccess();
            Eventually.until(() -> ToolRun.of("devinfo", "-v").output().contains(ADDRESS),
                    () -> "no GID of " + ADDRESS);
        }

        @AfterAll
        static void remove() {
            ToolRun.of("link", "delete", Rxe.LEFT).requireSuccess();
            ip("link delete bare0\n");
        }

        @Test
        void devicesAndDevinfoShowIt() {
            assertThat(ToolRun.of("devices").requireSuccess().output()).contains(Rxe.LEFT, "uverbs0", "rxe", "bare0");
            assertThat(ToolRun.of("devinfo").requireSuccess().output()).contains("hca_id:\trxe0", "PORT_ACTIVE");
        }

        /// One end is a process of its own, as a user starts it. The other is not, since that takes its time.
        @Test
        void pingPongIsPlayed() {
            String options = "-d " + Rxe.LEFT + " -g " + Rxe.IPV4_INDEX + " -n 100 -c";
            try (var server = Program.JAVA.start("rc-pingpong", options)) {
                Eventually.until(() -> server.output().contains("local address"), server::output);
                try (var client = Program.JAVA_PROCESS.start("rc-pingpong", options + " " + ADDRESS)) {
                    assertThat(client.exitCode(LIMIT)).as(client::output).isZero();
                    assertThat(server.exitCode(LIMIT)).as(server::output).isZero();
                    assertThat(client.output()).contains("100 iters in");
                }
            }
        }
    }
}
