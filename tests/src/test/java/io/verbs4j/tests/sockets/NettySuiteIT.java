// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.sockets.SocketsAgent;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Netty's own tests of its sockets, unchanged, over RDMA. They connect to loopback, which a property replaces by a
/// device's address. Rules forbid TCP there.
///
/// Excludes tests that need Netty's native TLS, and `SocketConnectionAttemptTest`, which connects to an address outside
/// of the machine.
@DeviceTest
@Needs.OneKernel
@Needs.LongRun("seventy-six tests of another project, in a virtual machine of their own")
class NettySuiteIT {
    private static final int LIMIT_SECONDS = 380;
    private static final String PACKAGE = "io.netty.testsuite.transport.socket";
    private static final Pattern SUCCESSFUL = Pattern.compile("\\[ +(\\d+) tests successful ");

    /// Writes a jar that makes a class of the class path the agent.
    private static Path agent(Path folder) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", SocketsAgent.class.getName());
        Path file = folder.resolve("agent.jar");
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
        return file;
    }

    /// Returns the simulation that this process runs on, if any, for another.
    private static Stream<String> simulation() {
        Properties properties = System.getProperties();
        return properties.containsKey("verbs4j.simulate")
                ? Stream.of("verbs4j.simulate", "os.version").map(name -> "-D" + name + "=" + properties.get(name))
                : Stream.empty();
    }

    /// Returns parts that are small enough for an emulated machine, each with its minimum number of successful tests.
    /// On simulated devices one part suffices, because each part starts a JVM.
    static Stream<Arguments> parts() {
        Arguments first = Arguments.of("Socket(Connect|D|Ec)", 16);
        return simulation().findAny().isPresent()
                ? Stream.of(first)
                : Stream.of(
                        first,
                        Arguments.of("Socket(A|B|Ca|Ch|Cl|Condi)", 6),
                        Arguments.of("Socket(Ex|F)", 10),
                        Arguments.of("Socket[G-R]", 18),
                        Arguments.of("Socket(Sh|Sp|St)", 12),
                        Arguments.of("SocketSslGreeting", 2),
                        Arguments.of("(CompositeBuffer|ServerSocket|TrafficShaping|WriteBefore)", 12));
    }

    /// @param classes regular expression for a part of the tests
    /// @param least minimum number of successful tests
    @ParameterizedTest
    @MethodSource("parts")
    @Timeout(LIMIT_SECONDS + 10)
    void passesOverRdma(String classes, int least, @TempDir Path folder) throws IOException {
        Path rules =
                Files.writeString(folder.resolve("rules"), "rdma connect 10.9.0.0/24 *\nrdma bind 10.9.0.0/24 *\n");
        var command = new ArrayList<String>(JavaProcess.command(
                "org.junit.platform.console.ConsoleLauncher", System.getProperty("java.class.path")));
        command.addAll(
                1,
                List.of(
                        "-javaagent:" + agent(folder) + "=" + rules,
                        "-Dverbs4j.sockets.loopback=10.9.0.2",
                        "-Djava.net.preferIPv4Stack=true",
                        "-Dio.netty.noUnsafe=true"));
        command.addAll(1, simulation().toList());
        command.addAll(List.of(
                "execute", "--disable-banner", "--details=summary", "--select-package=" + PACKAGE,
                "--include-classname=" + PACKAGE + "." + classes + ".*Test",
                "--exclude-classname=.*SocketConnectionAttemptTest"));
        if (simulation().findAny().isPresent()) {
            // It binds before it connects: no network interface has a simulated device's address.
            command.add("--exclude-methodname=.*testShutdownNotYetConnected.*");
        }
        String output = ExternalProcess.of(command).run(Duration.ofSeconds(LIMIT_SECONDS)).requireSuccess().output();
        assertThat(output).contains(" 0 tests failed ");
        var successful = SUCCESSFUL.matcher(output);
        assertThat(successful.find()).as(output).isTrue();
        assertThat(Integer.parseInt(successful.group(1))).as(output).isGreaterThanOrEqualTo(least);
    }
}
