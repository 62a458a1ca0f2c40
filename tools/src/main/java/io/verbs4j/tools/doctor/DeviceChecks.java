// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// One device: its node, its ports and their GIDs, and whether a message comes through.
final class DeviceChecks {
    private final Device device;
    private final Findings findings;

    DeviceChecks(Device device, Findings findings) {
        this.device = device;
        this.findings = findings;
    }

    void run() {
        if (device.providerName().isEmpty()) {
            findings.warning(
                    device.name(),
                    "verbs4j has no provider for its driver",
                    "only devices of rxe can be used with verbs4j today");
            return;
        }
        if (!Files.exists(device.node())) {
            findings.error(
                    device.name(),
                    "there is no node " + device.node(),
                    "let udev or devtmpfs make it; in a container, hand it in (--device " + device.node() + ")");
            return;
        }
        if (!Files.isReadable(device.node()) || !Files.isWritable(device.node())) {
            findings.error(
                    device.name(),
                    "this user may not read and write " + device.node(),
                    "make it mode 0666 by a udev rule, or join its group");
            return;
        }
        try (Context context = device.open()) {
            findings.ok(device.name(), device.node() + " opens");
            for (int port = 1; port <= context.attributes().ports(); port++) {
                checkPort(context, port);
            }
        } catch (RuntimeException e) {
            findings.error(device.name(), String.valueOf(e.getMessage()), "see what the message says of it");
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
                    "ip link set " + netdev + " up, and look at the cable or the other end");
            return;
        }
        findings.ok(check, "the port is ACTIVE");
        checkMtu(check, port, netdev);
        List<GidEntry> gids = context.gids(number);
        checkGids(check, gids, netdev);
        if (!gids.isEmpty()) {
            try {
                SelfTest.run(context, number);
                findings.ok(check, "a message comes through from one queue pair to another");
            } catch (RuntimeException e) {
                findings.error(
                        check,
                        "no message comes through from one queue pair to another: " + e.getMessage(),
                        "look at the kernel's log (dmesg), and at verbs counters -d " + device.name());
            }
        }
    }

    private void checkMtu(String check, PortAttributes port, String netdev) {
        Mtu active = port.activeMtu();
        String message = "the active MTU is " + active.bytes() + " bytes";
        if (active.bytes() < Mtu.MTU_1024.bytes()) {
            findings.warning(
                    check,
                    message + ", less than the 1024 that many programs ask for",
                    "ip link set " + netdev + " mtu 1500, or ask programs for a smaller path MTU (-m)");
        } else if (active.compareTo(Mtu.MTU_4096) < 0) {
            findings.note(
                    check,
                    message + ": large messages would need fewer packets with 4096",
                    "ip link set " + netdev + " mtu 4200, if all of the network carries such packets");
        } else {
            findings.ok(check, message);
        }
    }

    private void checkGids(String check, List<GidEntry> gids, String netdev) {
        if (gids.isEmpty()) {
            findings.error(check, "the GID table is empty", "ip address add 192.0.2.1/24 dev " + netdev);
            return;
        }
        boolean ipv4 =
                gids.stream().anyMatch(entry -> entry.gid().isIpv4Mapped() && entry.type().equals(GidType.ROCE_V2));
        if (!ipv4) {
            findings.warning(
                    check,
                    "no GID of RoCE v2 has an IPv4 address, which most programs expect",
                    "ip address add 192.0.2.1/24 dev " + netdev + ", or use IPv6 at both ends");
        }
        Set<Gid> addresses = addresses(netdev);
        var missing = new HashSet<>(addresses);
        gids.forEach(entry -> missing.remove(entry.gid()));
        var stale = new ArrayList<GidEntry>();
        for (GidEntry entry : gids) {
            if (!entry.gid().isLinkLocal() && !addresses.isEmpty() && !addresses.contains(entry.gid())) {
                stale.add(entry);
            }
        }
        if (!missing.isEmpty()) {
            findings.warning(
                    check,
                    "addresses of " + netdev + " without a GID: " + missing,
                    "ip link set " + netdev + " down and up again lets the kernel look anew");
        }
        if (!stale.isEmpty()) {
            findings.warning(
                    check,
                    "GIDs without an address of " + netdev + " at index "
                            + String.join(", ", stale.stream().map(entry -> Integer.toString(entry.index())).toList()),
                    "do not use them; they belong to interfaces above " + netdev + ", or to an address that is gone");
        }
        if (missing.isEmpty() && stale.isEmpty()) {
            findings.ok(check, gids.size() + " GIDs, each with its address");
        }
    }

    /// The addresses of a network interface, as GIDs; empty if they cannot be asked for.
    private static Set<Gid> addresses(String netdev) {
        var addresses = new HashSet<Gid>();
        try {
            NetworkInterface found = NetworkInterface.getByName(netdev);
            if (found != null) {
                for (InetAddress address : found.inetAddresses().toList()) {
                    addresses.add(Gid.of(address));
                }
            }
        } catch (IOException e) {
            return Set.of();
        }
        return addresses;
    }
}
