// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Connections of an ordinary user's process that cannot see rdma-core, and of a process in a separate network
/// namespace.
@DeviceTest
@RealKernel("network namespaces")
@Needs.OneKernel
class ProcessEnvironmentIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    /// Covers the libraries of rdma-core and the folder of its drivers, and runs what it is given as an ordinary user.
    private static final String HIDING =
            """
                for file in /usr/lib/*/libibverbs* /usr/lib/*/librdmacm* /usr/lib/*/librxe*; do
                    [ -e "$file" ] || continue
                    if [ -d "$file" ]; then mount -t tmpfs none "$file"; else mount --bind /dev/null "$file"; fi
                done
                exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
                """;

    private static List<String> probe(String... arguments) throws IOException {
        Path folder = Files.createTempDirectory("surroundings");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var all = new ArrayList<>(
                JavaProcess.forOrdinaryUser(folder, ProcessEnvironmentProbe.class, RdmaConnection.class));
        all.addAll(List.of(arguments));
        return all;
    }

    @Test
    @Needs.LongRun("Java compiles and starts for another user")
    void ordinaryUsersConnectWithoutRdmaCore() throws Exception {
        var command =
                new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private", "sh", "-ec", HIDING, "sh"));
        command.addAll(probe(
                "60",
                "an address", "10.9.0.2", Integer.toString(CmAddress.right().getPort()),
                "a privileged port", "10.9.0.2", "70"));
        assertThat(ExternalProcess.of(command).run(LIMIT).requireSuccess().output())
                .contains("an address: through\n")
                .containsPattern("a privileged port: VerbsException: .*EACCES.*\n");
    }

    /// Devices are shared among namespaces (`rdma system`), which is the kernel's default. Those of rxe cannot be
    /// moved. Each namespace has its own addresses and ports of the connection manager.
    @Test
    @Needs.LongRun("programs in two namespaces")
    void namespacesHaveAddressesOfTheirOwn() throws Exception {
        String namespace = "verbs4j-test";
        try {
            run("ip", "netns", "add", namespace);
            run("ip", "link", "add", "veth80", "type", "veth", "peer", "name", "veth81");
            run("ip", "link", "set", "veth80", "netns", namespace);
            inside(namespace, "ip", "link", "set", "lo", "up");
            inside(namespace, "ip", "address", "add", "10.9.80.1/24", "dev", "veth80");
            inside(namespace, "ip", "link", "set", "veth80", "up");
            run("ip", "link", "set", "veth81", "up");
            inside(namespace, "rdma", "link", "add", "rxe8", "type", "rxe", "netdev", "veth80");
            Path gid = Path.of("/sys/class/infiniband/rxe8/ports/1/gids/1");
            Eventually.until(() -> read(gid).contains("ffff:0a09:5001"), () -> "GID 1 is " + read(gid));
            var command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
            // A kernel that loses the packets lets it wait as long as it may.
            String seconds = Kernel.hasNetworkNamespaces() ? "60" : "3";
            command.addAll(probe(
                    seconds, "its own address", "10.9.80.1", "7471", "the other's address", "10.9.0.2", "7471"));
            assertThat(ExternalProcess.of(command).run(LIMIT).requireSuccess().output())
                    .contains("its own address: "
                            + (Kernel.hasNetworkNamespaces()
                                    ? "through\n"
                                    : "VerbsException: connect to 10.9.80.1:7471 failed: ETIMEDOUT"))
                    .containsPattern("the other's address: VerbsException: .*(EADDRNOTAVAIL|ENODEV).*\n");
            run("rdma", "link", "delete", "rxe8");
        } finally {
            run("ip", "netns", "delete", namespace);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static void inside(String namespace, String... command) {
        var all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        all.addAll(List.of(command));
        run(all.toArray(String[]::new));
    }

    private static void run(String... command) {
        ExternalProcess.of(command).run(LIMIT).requireSuccess();
    }
}
