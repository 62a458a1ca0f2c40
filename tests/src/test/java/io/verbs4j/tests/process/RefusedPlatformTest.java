// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Programs that are started where, or as, they cannot work: one sentence names the remedy.
class RefusedPlatformTest {
    @Test
    void namesTheOptionThatAllowsNativeAccess() {
        Answers answers = run("--illegal-native-access=deny", "-Dverbs4j.simulate=1");

        for (String question : List.of("open", "open again")) {
            assertThat(answers.to(question)).isEqualTo(
                    "IllegalStateException: Java forbids native access to the class path: start it with"
                            + " --enable-native-access=ALL-UNNAMED, or write Enable-Native-Access: ALL-UNNAMED into the"
                            + " manifest of an executable jar");
        }
    }

    @Test
    void simulatedDevicesNeedNoLinux() {
        Answers answers = run("--enable-native-access=ALL-UNNAMED", "-Dverbs4j.simulate=1", "-Dos.name=Mac OS X");

        assertThat(answers.to("list")).isEqualTo("[rxe0]");
        assertThat(answers.to("open")).doesNotContain("Exception");
    }

    @Test
    void anotherSystemThanLinuxHasNoDevicesAndSaysWhy() {
        for (String system : List.of("Mac OS X", "Windows 11")) {
            Answers answers = run("--enable-native-access=ALL-UNNAMED", "-Dos.name=" + system);

            assertThat(answers.to("list")).isEqualTo("[]");
            assertThat(answers.to("open")).startsWith("DeviceGoneException: ")
                    .contains("ENODEV", "this is " + system, "-Dverbs4j.simulate=2");
        }
    }

    private static Answers run(String... options) {
        var command = new ArrayList<>(List.of(JavaProcess.launcher(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RefusedPlatformProbe.class.getName()));
        return Answers.of(ExternalProcess.of(command).run(Duration.ofSeconds(120)));
    }
}
