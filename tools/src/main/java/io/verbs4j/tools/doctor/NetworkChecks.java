// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.Device;
import io.verbs4j.GidSelector;
import io.verbs4j.abi.discovery.RdmaNetlink;
import io.verbs4j.types.VerbsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Checks the way between the devices: network namespaces, the UDP port of RoCE v2, firewalls, and devices in each other's way.
final class NetworkChecks {
    private static final String NAMESPACES = "namespaces";
    private static final String UDP = "UDP port";
    private static final String FIREWALL = "firewall";
    private static final String INTERFACES = "interfaces";
    /// A chain of nft that packets to this machine come through first. It may have sets in braces.
    private static final Pattern INPUT_CHAIN = Pattern.compile("hook input((?:[^{}]++|\\{[^{}]*+\\})*+)");
    /// Matches what is thrown away, unless it belongs to no connection that could be.
    private static final Pattern DISCARD =
            Pattern.compile(
                    "(?m)^(?!.*ct state invalid )(?!.*ctstate INVALID ).*(\\b(drop|reject)\\b|(-P INPUT|-j) (DROP|REJECT))");
    /// The port of RoCE v2 as a port of packets: alone, in a list, or in a set. Counters may have the same number.
    private static final Pattern OWN_PORT = Pattern.compile(
            "(dports? |elements = )(\\{[^{}]*|[0-9,:-]*)\\b" + GidSelector.ROCE_V2_PORT + "\\b");

    private final SystemFiles files;
    /// Runs a program and gives its output, if it could be run.
    private final Function<List<String>, Optional<String>> programs;

    NetworkChecks(SystemFiles files, Function<List<String>, Optional<String>> programs) {
        this.files = files;
        this.programs = programs;
    }

    void run(List<Device> devices, Findings findings) {
        checkNamespaces(findings);
        var interfaces = new TreeMap<String, String>();
        devices.forEach(device -> device.networkInterface().ifPresent(name -> interfaces.put(device.name(), name)));
        checkInterfaces(interfaces, findings);
        if (!interfaces.isEmpty()) {
            checkUdp(findings);
            checkFirewall(findings);
        }
    }

    private void checkNamespaces(Findings findings) {
        try (RdmaNetlink netlink = RdmaNetlink.open()) {
            reportNamespaces(netlink.sharesDevicesBetweenNamespaces(), findings);
        } catch (VerbsException e) {
            findings.warning(
                    NAMESPACES,
                    "RDMA netlink does not answer: " + e.getMessage(),
                    "without it devices are recognized by sysfs alone, which works for rxe only");
        }
    }

    void reportNamespaces(boolean shared, Findings findings) {
        String own = files.link("proc/self/ns/net");
        String first = files.link("proc/1/ns/net");
        boolean inside = !own.isEmpty() && !first.isEmpty() && !own.equals(first);
        if (shared) {
            findings.ok(NAMESPACES, "devices are shared by all network namespaces");
        } else {
            findings.note(
                    NAMESPACES,
                    "each device belongs to one network namespace; those of others are not seen here",
                    "rdma dev set DEVICE netns NAME moves one, rdma system set netns shared shares all");
        }
        if (inside) {
            findings.note(NAMESPACES, "this process is in another network namespace than process 1");
        }
    }

    /// @param interfaces network interfaces by device
    void checkInterfaces(Map<String, String> interfaces, Findings findings) {
        var byInterface = new HashMap<String, String>();
        interfaces.forEach((device, name) -> {
            if (!files.exists("sys/class/net/" + name)) {
                findings.warning(
                        INTERFACES,
                        device + " sits on " + name + ", which is not in this network namespace",
                        "run this in the namespace of " + name + ", or give the device's namespace with ip netns exec");
            }
            String other = byInterface.putIfAbsent(name, device);
            if (other != null) {
                findings.warning(
                        INTERFACES,
                        other + " and " + device + " both sit on " + name,
                        "programs may take the wrong one: name the device with -d, or delete one (verbs link delete)");
            }
        });
    }

    void checkUdp(Findings findings) {
        String port = String.format(":%04X ", GidSelector.ROCE_V2_PORT);
        boolean open = files.text("proc/net/udp").contains(port) || files.text("proc/net/udp6").contains(port);
        if (open) {
            findings.ok(UDP, GidSelector.ROCE_V2_PORT + " is open for rxe");
        } else {
            findings.warning(
                    UDP,
                    "nobody listens on " + GidSelector.ROCE_V2_PORT
                            + " in this network namespace, as rxe does in the one it lives in",
                    "run this in the namespace where the device was made; if rxe has closed the port, as it does on Linux 7.2"
                            + " after an interface was deleted under an open device, delete the devices and make them again");
        }
    }

    /// Looks for rules that throw packets away, and none that names the port. What exactly they do is beyond this.
    void checkFirewall(Findings findings) {
        String allow = "let UDP port " + GidSelector.ROCE_V2_PORT + " in: nft add rule inet filter input udp dport "
                + GidSelector.ROCE_V2_PORT + " accept, or iptables -I INPUT -p udp --dport "
                + GidSelector.ROCE_V2_PORT + " -j ACCEPT, or firewall-cmd --add-port="
                + GidSelector.ROCE_V2_PORT + "/udp";
        Optional<String> nftables = programs.apply(List.of("nft", "list", "ruleset"));
        Optional<String> iptables = programs.apply(List.of("iptables", "-S", "INPUT"));
        if (nftables.isEmpty() && iptables.isEmpty()) {
            findings.note(FIREWALL, "its rules cannot be read: this needs root, and nft or iptables", allow);
            return;
        }
        boolean discards = INPUT_CHAIN.matcher(nftables.orElse(""))
                .results()
                .anyMatch(chain -> DISCARD.matcher(chain.group(1)).find())
                || DISCARD.matcher(iptables.orElse("")).find();
        if (discards && !OWN_PORT.matcher(nftables.orElse("") + "\n" + iptables.orElse("")).find()) {
            findings.warning(
                    FIREWALL,
                    "it discards packets, and no rule names UDP port " + GidSelector.ROCE_V2_PORT
                            + " of RoCE v2, though one may let it in by other marks",
                    allow);
        } else {
            findings.ok(FIREWALL, discards ? "a rule names the UDP port of RoCE v2" : "it lets everything in");
        }
    }
}
