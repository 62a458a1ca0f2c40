// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tools.common.Findings;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.doctor.acceptance.SelfTest;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortState;
import java.util.List;
import java.util.stream.Collectors;

/// Checks one device: its device file, its ports and their GIDs, and whether a message arrives.
record DeviceChecks(Device device, Findings findings) {
    void run() {
        if (device.providerName().isEmpty()) {
            findings.warning(
                    device.name(),
                    "verbs4j has no provider for its driver",
                    "use a device of rxe, siw or mlx5");
            return;
        }
        try (Context context = device.open()) {
            findings.ok(device.name(), device.node() + " opens");
            for (int port = 1; port <= context.attributes().ports(); port++) {
                checkPort(context, port);
            }
        } catch (RuntimeException e) {
            findings.error(device.name(), String.valueOf(e.getMessage()), "follow the message");
        }
    }

    private void checkPort(Context context, int number) {
        PortAttributes port = context.port(number);
        String check = device.name() + "/" + number;
        String netdev = device.networkInterface().orElse("its network interface");
        if (!port.state().equals(PortState.ACTIVE)) {
            findings.error(
                    check,
                    "the port is " + port.state() + ", not ACTIVE",
                    "ip link set " + netdev + " up, and check the cable and the other end");
            return;
        }
        findings.ok(check, "the port is ACTIVE");
        // iWARP uses neither GIDs nor a path MTU.
        if (!device.nodeType().equals(NodeType.RNIC)) {
            checkMtu(check, port, netdev);
            List<GidEntry> gids = context.gids(number);
            new GidChecks(check, netdev, findings).run(gids,
                    Host.current().addresses(netdev).stream().map(Gid::of).collect(Collectors.toSet()));
            if (gids.isEmpty()) {
                return;
            }
        }
        checkMessage(check, number);
    }

    private void checkMessage(String check, int number) {
        try {
            SelfTest.run(device, number);
            findings.ok(check, "a message arrives between two queue pairs");
        } catch (RuntimeException e) {
            findings.error(
                    check,
                    "no message arrives between two queue pairs: " + e.getMessage(),
                    "see the kernel's log (dmesg), and verbs counters -d " + device.name());
        } catch (InterruptedException e) {
            throw ToolException.interrupted();
        }
    }

    private void checkMtu(String check, PortAttributes port, String netdev) {
        Mtu active = port.activeMtu();
        String message = "the active MTU is " + active.bytes() + " bytes";
        if (active.bytes() < Mtu.MTU_1024.bytes()) {
            findings.warning(
                    check,
                    message + ", less than the 1024 that many programs require",
                    "ip link set " + netdev + " mtu 1500, or set a smaller path MTU in the programs (-m)");
        } else if (active.compareTo(Mtu.MTU_4096) < 0) {
            findings.note(
                    check,
                    message + ": large messages would need fewer packets with 4096",
                    "ip link set " + netdev + " mtu 4200, if the whole network supports such packets");
        } else {
            findings.ok(check, message);
        }
    }
}
