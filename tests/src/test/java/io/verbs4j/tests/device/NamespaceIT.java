// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.RocePort;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.PortState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A device on an interface in a network namespace of its own, as a container has it.
@DeviceTest
@RealKernel("network namespaces")
@Needs.EachKernel
class NamespaceIT {
    private static final String NAMESPACE = "verbs4j";
    private static final String INTERFACE = "veth80";
    private static final String DEVICE = "rxe8";
    /// Port 4791 of all addresses, as `/proc/net/udp` writes it.
    private static final String LISTENING = " 00000000" + RocePort.AS_SUFFIX + " ";

    @BeforeEach
    void make() {
        assumeTrue(Kernel.hasNetworkNamespaces(), "before Linux 7.0 all devices listen in the first namespace");
        run("ip", "netns", "add", NAMESPACE);
        run("ip", "-n", NAMESPACE, "link", "add", INTERFACE, "type", "veth", "peer", "name", "veth81");
        run("ip", "-n", NAMESPACE, "address", "add", "10.9.80.1/24", "dev", INTERFACE);
        run("ip", "-n", NAMESPACE, "link", "set", INTERFACE, "up");
        run("ip", "-n", NAMESPACE, "link", "set", "veth81", "up");
    }

    @AfterEach
    void remove() {
        if (within("true").exitCode() == 0) {
            run("ip", "netns", "delete", NAMESPACE);
        }
    }

    private static ExternalProcess.Result run(String... command) {
        return ExternalProcess.of(command).run(Duration.ofSeconds(60)).requireSuccess();
    }

    private static ExternalProcess.Result within(String... command) {
        var all = new ArrayList<>(List.of("ip", "netns", "exec", NAMESPACE));
        all.addAll(List.of(command));
        return ExternalProcess.of(all).run(Duration.ofSeconds(60));
    }

    private static ExternalProcess.Result link(String name) {
        return within("rdma", "link", "add", name, "type", "rxe", "netdev", INTERFACE);
    }

    private static boolean isListed() {
        return Devices.list().stream().anyMatch(device -> device.name().equals(DEVICE));
    }

    private static boolean hasThePort() {
        return within("cat", "/proc/net/udp").requireSuccess().output().contains(LISTENING);
    }

    @Test
    void goesWithItsNamespace() {
        link(DEVICE).requireSuccess();
        assertThat(isListed()).isTrue();
        assertThat(hasThePort()).isTrue();

        run("ip", "netns", "delete", NAMESPACE);

        Eventually.until(() -> !isListed(), () -> DEVICE + " is still there");
    }

    @Test
    void isDownWhileItsInterfaceIs() {
        run("ip", "-n", NAMESPACE, "link", "set", INTERFACE, "down");
        link(DEVICE).requireSuccess();
        try (Context context = Devices.open(DEVICE)) {
            assertThat(context.port(1).state()).isEqualTo(PortState.DOWN);

            run("ip", "-n", NAMESPACE, "link", "set", INTERFACE, "up");

            Eventually.until(
                    () -> context.port(1).state().equals(PortState.ACTIVE),
                    () -> "the port is " + context.port(1).state());
        }
    }

    @Test
    void frees4791WhenItIsRemoved() {
        link(DEVICE).requireSuccess();
        within("rdma", "link", "delete", DEVICE).requireSuccess();

        Eventually.until(() -> !hasThePort(), () -> "the port is still taken");
    }

    /// `rxe_newlink` (rxe.c) opens the sockets first, or counts one user more, and does not undo that.
    @Test
    void leaves4791TakenIfItCouldNotBeMadeOnRxe() {
        assertThat(link(Rxe.LEFT).exitCode()).as("a name that is in use").isNotZero();
        assertThat(hasThePort()).isTrue();

        link(DEVICE).requireSuccess();
        within("rdma", "link", "delete", DEVICE).requireSuccess();
        Eventually.until(() -> !isListed(), () -> DEVICE + " is still there");
        assertThat(hasThePort()).isTrue();
    }
}
