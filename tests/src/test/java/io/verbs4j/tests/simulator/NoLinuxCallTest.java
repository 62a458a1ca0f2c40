// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.process.DocumentedPrograms;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tools.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs on simulated devices make no call of Linux, so that they run on any system.
class NoLinuxCallTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    /// Says which platform this is, and reads memory.
    private static final Set<String> HARMLESS = Set.of(
            "io.verbs4j.abi.os.Platform", "io.verbs4j.abi.os.RawMemory", "io.verbs4j.abi.os.NativeBytes",
            "io.verbs4j.abi.os.NumberedObjects", "io.verbs4j.abi.os.NumberedObjects$Entry");

    private static final String PROGRAM = """
        import io.verbs4j.*;
        import io.verbs4j.types.*;

        void main() throws Exception {
            try (var context = Devices.open("rxe1")) {
                var domain = context.allocateProtectionDomain();
                var channel = context.createCompletionChannel();
                var queue = context.createCompletionQueue(CompletionQueueOptions.entries(16).withChannel(channel));
                var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                var here = domain.reliableConnection(queue).prepare();
                var there = domain.reliableConnection(queue).prepare();
                var sender = here.connect(there.endpoint());
                there.connect(here.endpoint());
                queue.requestNotification(false);
                memory.segment().setString(0, "over no wire");
                try (var batch = sender.beginSend()) {
                    batch.signaled().write().local(memory.slice(0, 64)).remote(memory.remote().slice(1024, 64)).post();
                    batch.submit();
                }
                channel.take(java.time.Duration.ofSeconds(10));
                System.out.println(queue.poll(1, completion -> {}) + " " + memory.segment().getString(1024)
                        + " " + context.pkeys(1) + " " + context.hardwareCounters(1).value("sent_pkts").getAsLong()
                        + " " + Devices.list() + " " + Devices.copiesMemoryOnFork());
            }
        }
        """;

    @TempDir private Path folder;

    @Test
    void aProgramThatKnowsNothingOfItMakesNone() throws IOException {
        assertThat(outputWithoutCalls("-Dverbs4j.simulate=2:6.12", source("Program", PROGRAM)))
                .isEqualTo("1 over no wire [65535] 2 [rxe0, rxe1] true\n");
    }

    @Test
    void theProgramsOfThePagesMakeNoneWithTheConnectionManager() throws IOException {
        assertThat(outputWithoutCalls("-Dverbs4j.simulate=2", source("Hello", DocumentedPrograms.source("Hello"))))
                .isEqualTo("I have written to your memory\nHello from rxe1\n");
        assertThat(outputWithoutCalls("-Dverbs4j.simulate=2", source("Service", DocumentedPrograms.source("Service"))))
                .isEqualTo("HELLO FROM ANN\nHELLO FROM BOB\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "together devices --and devinfo --and gids --and counters --and resources --and link list --and doctor",
            "together rc-pingpong -d rxe1 -n 3 --and rc-pingpong -d rxe0 -n 3 localhost",
            "trace --capture together rping -s -a 10.9.0.2 -C 2 --and rping -c -a 10.9.0.2 -C 2",
            "step rc-pingpong -d rxe0 --peer-device rxe1 --no-wait",
            "step connection --no-wait"})
    void commandsOfTheCommandLineMakeNone(String command) throws IOException {
        var arguments = new ArrayList<>(List.of(Main.class.getName(), "--simulate", "2"));
        arguments.addAll(List.of(command.split(" ")));
        assertThat(outputWithoutCalls(arguments.toArray(String[]::new))).isNotEmpty();
    }

    private String source(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name + ".java"), text).toString();
    }

    /// Runs a program. Only what calls the operating system has a linker, and each of its methods is a downcall.
    private String outputWithoutCalls(String... program) throws IOException {
        Path classes = folder.resolve("classes");
        var command = new ArrayList<>(List.of(
                JavaProcess.launcher(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Xlog:class+load:file=" + classes,
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator
                        + System.getProperty("jdk.module.path", "")));
        command.addAll(1, JavaProcess.toolsPort());
        command.addAll(List.of(program));
        String output = ExternalProcess.of(command).run(LIMIT).requireSuccess().output();
        assertThat(Files.readAllLines(classes)
                .stream()
                .filter(line -> line.contains("io.verbs4j.abi.os.")
                        || line.contains("jdk.internal.foreign.abi.Downcall"))
                .map(line -> line.replaceFirst(".*\\] ", "").replaceFirst(" source:.*", "")))
                .isNotEmpty()
                .isSubsetOf(HARMLESS);
        return output;
    }
}
