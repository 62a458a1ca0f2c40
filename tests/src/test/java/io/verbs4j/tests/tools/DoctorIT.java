// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The doctor on a machine that is well, and on one that is not.
@DeviceTest
@RealKernel("sysfs, and a system that can be diagnosed")
@Needs.OneKernel
class DoctorIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);

    @Test
    void findsNothingWrongWithTheLab() {
        ToolRun run = ToolRun.of("doctor").requireSuccess();
        assertThat(run.output())
                .contains(
                        "rdma_rxe is loaded",
                        "rxe0/1: the port is ACTIVE",
                        "rxe1/1: a message arrives between two queue pairs",
                        "UDP port: 4791 is open for rxe",
                        "devices are shared by all network namespaces",
                        "connection manager: /dev/infiniband/rdma_cm can be opened")
                .doesNotContain("warning  ", "error    ");
        assertThat(ToolRun.of("doctor", "-q").requireSuccess().output()).isEmpty();
    }

    @Test
    void findsTheWayToAPeerAsAConnectionDoes() {
        ToolRun there = ToolRun.of("doctor", "-q", "--peer", "10.9.0.2");
        assertThat(there.requireSuccess().output()).isEmpty();
        assertThat(ToolRun.of("doctor", "--peer", "10.9.0.2").requireSuccess().output())
                .containsPattern("ok       peer 10\\.9\\.0\\.2: over rxe[01] on veth[01], from 10\\.9\\.0\\.[12]");

        ToolRun silent = ToolRun.of("doctor", "-q", "--peer", "10.9.0.77");
        assertThat(silent.exitCode()).as(silent::toString).isEqualTo(4);
        assertThat(silent.output()).contains("error    peer 10.9.0.77: the address cannot be resolved: ",
                "ip neigh show 10.9.0.77");

        ToolRun nowhere = ToolRun.of("doctor", "-q", "--peer", "192.0.2.1");
        assertThat(nowhere.exitCode()).as(nowhere::toString).isEqualTo(4);
        assertThat(nowhere.output()).contains("error    peer 192.0.2.1: the address cannot be resolved: ", "ip route");

        ToolRun loopback = ToolRun.of("doctor", "-q", "--peer", "127.0.0.1");
        assertThat(loopback.exitCode()).as(loopback::toString).isEqualTo(4);
        assertThat(loopback.output()).contains("ENODEV", "verbs devices lists the interfaces with a device");
    }

    @Test
    void namesTheNodeThatTheConnectionManagerLacks() throws IOException {
        Path node = Path.of("/dev/infiniband/rdma_cm");
        Path hidden = Path.of("/dev/infiniband/hidden");
        Files.move(node, hidden);
        try {
            ToolRun run = ToolRun.of("doctor", "-q");
            assertThat(run.exitCode()).as(run::toString).isEqualTo(3);
            assertThat(run.output())
                    .contains("warning  connection manager: there is no node /dev/infiniband/rdma_cm",
                            "give the container the node: --device=/dev/infiniband/rdma_cm");
        } finally {
            Files.move(hidden, node);
        }
    }

    @Test
    void findsAPortThatIsDownAndASecondDeviceWithoutAddress() {
        ExternalProcess.of("ip", "link", "add", "dummy8", "type", "dummy").run(LIMIT).requireSuccess();
        try {
            ToolRun.of("link", "add", "sick", "--netdev", "dummy8").requireSuccess();
            ToolRun run = ToolRun.of("doctor", "-q");
            assertThat(run.exitCode()).as(run::toString).isEqualTo(4);
            assertThat(run.output()).contains("error    sick/1: the port is DOWN", "ip link set dummy8 up");

            ExternalProcess.of("ip", "link", "set", "dummy8", "up").run(LIMIT).requireSuccess();
            Eventually.until(LIMIT, () -> ToolRun.of("doctor", "-q", "-d", "sick").exitCode() == 3, () -> "still down");
            assertThat(ToolRun.of("doctor", "-q", "-d", "sick").output())
                    .contains("no RoCE v2 GID has an IPv4 address");
            ToolRun.of("link", "delete", "sick").requireSuccess();
        } finally {
            ExternalProcess.of("ip", "link", "delete", "dummy8").run(LIMIT).requireSuccess();
        }
    }

    /// Sets up an interface with a small MTU, another one above it with its own address, and a route to its own address
    /// that leads nowhere.
    @Test
    void findsSmallPacketsForeignGidsAndThatNoMessageComesThrough() {
        ip(
                "link add dummy8 mtu 600 type dummy\naddr add 10.9.80.1/24 dev dummy8\nlink set dummy8 arp on up\n"
                        + "link add above8 link dummy8 type macvlan\naddr add 10.9.81.1/24 dev above8\n"
                        + "link set above8 up\nrule add pref 5 from 10.9.80.1 unreachable\n");
        try {
            ToolRun.of("link", "add", "sick", "--netdev", "dummy8").requireSuccess();
            Eventually.until(LIMIT, () -> gids("sick") >= 3, () -> gids("sick") + " GIDs");
            ToolRun run = ToolRun.of("doctor", "-q", "-d", "sick");
            assertThat(run.exitCode()).as(run::toString).isEqualTo(4);
            assertThat(run.output())
                    .contains(
                            "warning  sick/1: the active MTU is 512 bytes, less than the 1024",
                            "ip link set dummy8 mtu 1500",
                            "warning  sick/1: GIDs without an address of dummy8 at index ",
                            "they belong to interfaces above dummy8",
                            "error    sick/1: no message arrives between two queue pairs: ",
                            "verbs counters -d sick")
                    .doesNotContain("addresses of dummy8 without a GID");
            ToolRun.of("link", "delete", "sick").requireSuccess();
        } finally {
            ip("rule del pref 5\nlink delete dummy8\n");
        }
    }

    private static int gids(String device) {
        try (Context context = Devices.open(device)) {
            return context.gids(1).size();
        }
    }

    private static void ip(String lines) {
        ExternalProcess.of("ip", "-batch", "-").input(lines).run(LIMIT).requireSuccess();
    }
}
