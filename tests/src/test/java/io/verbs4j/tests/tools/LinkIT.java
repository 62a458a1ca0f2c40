// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.ToolRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Making and deleting devices by our own netlink messages, upon an interface that is there for this alone.
@DeviceTest
@RealKernel("devices that netlink makes")
@Needs.OneKernel
class LinkIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String NETDEV = "dummy7";

    private static ExternalProcess.Result ip(String... arguments) {
        var command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        return ExternalProcess.of(command).run(LIMIT);
    }

    @BeforeEach
    void makeAnInterface() {
        ip("link", "add", NETDEV, "type", "dummy").requireSuccess();
        ip("link", "set", NETDEV, "up").requireSuccess();
    }

    /// The device goes with its interface.
    @AfterEach
    void deleteTheInterface() {
        ip("link", "delete", NETDEV).requireSuccess();
    }

    @Test
    void makesListsAndDeletesADevice() {
        ToolRun.of("link", "add", "mine", "--netdev", NETDEV).requireSuccess();

        assertThat(ToolRun.of("link", "list").requireSuccess().lines())
                .anySatisfy(line -> assertThat(line).matches("mine +1 +roce +ACTIVE +LINK_UP +" + NETDEV));
        try (Context context = Devices.open("mine")) {
            assertThat(context.device().networkInterface()).contains(NETDEV);
        }
        ToolRun.of("link", "delete", "mine").requireSuccess();

        assertThat(ToolRun.of("link", "list").requireSuccess().output()).doesNotContain("mine")
                .contains("rxe0", "rxe1");
        ToolRun.of("link", "delete", "mine").requireFailure(1, "unknown RDMA device: mine; available: rxe0, rxe1");
    }

    @Test
    void theKernelsRefusalsAreExplained() {
        ToolRun.of("link", "add", "mine", "--netdev", "nowhere")
                .requireFailure(1, "ENODEV", "no such network interface");
        ToolRun.of("link", "add", "mine", "--netdev", NETDEV, "--type", "xyz")
                .requireFailure(1, "EINVAL", "no driver of this type");
        ToolRun.of("link", "add", "mine", "--netdev", "veth0").requireFailure(1, "EEXIST", "already has such a device");
        ToolRun.of("link", "add", "rxe0", "--netdev", NETDEV)
                .requireFailure(1, "ENFILE", "another RDMA device has this name");
    }

    @Test
    void aDeviceThatIsOpenIsNotDeletedButItsUsersAreNamed() {
        ToolRun.of("link", "add", "mine", "--netdev", NETDEV).requireSuccess();
        try (Context context = Devices.open("mine")) {
            ToolRun.of("link", "delete", "mine")
                    .requireFailure(1, "mine is open in java (pid " + ProcessHandle.current().pid() + ")", "--wait");
            assertThat(context.port(1)).isNotNull();
        }
        ToolRun.of("link", "delete", "mine").requireSuccess();
    }

    @Test
    @Needs.LongRun("a process of an ordinary user")
    void anOrdinaryUserReadsWhatIsNeeded() {
        ExternalProcess.Result result =
                ExternalProcess.verbsOfOrdinaryUser("link", "add", "mine", "--netdev", NETDEV).run(LIMIT);
        assertThat(result.exitCode()).as(result::toString).isEqualTo(1);
        assertThat(result.output()).contains("EPERM", "CAP_NET_ADMIN");
    }
}
