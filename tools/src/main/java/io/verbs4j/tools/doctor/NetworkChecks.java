// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.Device;
import io.verbs4j.GidSelector;
import io.verbs4j.abi.discovery.RdmaNetlink;
import io.verbs4j.tools.common.Findings;
import io.verbs4j.types.VerbsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Checks the network between devices: namespaces, the UDP port of RoCE v2, firewalls, and conflicting devices.
final class NetworkChecks {
    private static final String NAMESPACES = "namespaces";
    private static final String UDP = "UDP port";
    private static final String FIREWALL = "firewall";
    private static final String INTERFACES = "interfaces";
    /// Matches an nft chain for input packets. It may contain sets in braces.
    private static final Pattern INPUT_CHAIN = Pattern.compile("hook input((?:[^{}]++|\\{[^{}]*+\\})*+)");
    /// Matches a rule that discards packets, except one for packets without a valid connection.
    private static final Pattern DISCARD =
            Pattern.compile(
                    "(?m)^(?!.*ct state invalid )(?!.*ctstate INVALID ).*(\\b(drop|reject)\\b|(-P INPUT|-j) (DROP|REJECT))");
    /// Matches the port of RoCE v2 as a packet's port: alone, in a list, or in a set. Counters may have the same
    /// number.
    private static final Pattern OWN_PORT = Pattern.compile(
            "(dports? |elements = )(\\{[^{}]*|[0-9,:-]*)\\b" + GidSelector.ROCE_V2_PORT + "\\b");

    private final SystemFiles files;
    /// Runs a program and returns its output; empty if it could not be run.
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
                    "RDMA netlink cannot be used: " + e.getMessage(),
                    "without netlink, devices are recognized by sysfs alone, which works only for rxe");
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
                    "each device belongs to one network namespace; devices of other namespaces are not visible here",
                    "rdma dev set DEVICE netns NAME moves one, rdma system set netns shared shares all");
        }
        if (inside) {
            findings.note(NAMESPACES, "this process and process 1 are in different network namespaces");
        }
    }

    /// @param interfaces network interfaces by device
    void checkInterfaces(Map<String, String> interfaces, Findings findings) {
        // Not sysfs, which shows the interfaces of the network namespace that it was mounted in.
        String listed = files.text("proc/net/dev");
        if (listed.isEmpty()) {
            findings.note(INTERFACES, "they cannot be checked: /proc/net/dev cannot be read");
        }
        var byInterface = new HashMap<String, String>();
        interfaces.forEach((device, name) -> {
            if (!listed.isEmpty() && listed.lines().noneMatch(line -> line.strip().startsWith(name + ":"))) {
                findings.warning(
                        INTERFACES,
                        device + " sits on " + name + ", which is not in this network namespace",
                        "run this in the namespace of " + name + ", for example with ip netns exec");
            }
            String other = byInterface.putIfAbsent(name, device);
            if (other != null) {
                findings.warning(
                        INTERFACES,
                        other + " and " + device + " both sit on " + name,
                        "programs may use the wrong one; select the device with -d, or delete one (verbs link delete)");
            }
        });
    }

    void checkUdp(Findings findings) {
        String port = String.format(":%04X ", GidSelector.ROCE_V2_PORT);
        String sockets = files.text("proc/net/udp") + files.text("proc/net/udp6");
        if (sockets.isEmpty()) {
            findings.note(UDP, "it cannot be checked: /proc/net/udp cannot be read");
        } else if (sockets.contains(port)) {
            findings.ok(UDP, GidSelector.ROCE_V2_PORT + " is open for rxe");
        } else {
            findings.warning(
                    UDP,
                    "port " + GidSelector.ROCE_V2_PORT
                            + " is not open in this network namespace, but rxe opens it in its own",
                    "run this in the namespace where the device was created; if rxe has closed the port, as it does on Linux 7.2"
                            + " after an interface was deleted under an open device, delete and create the devices again");
        }
    }

    /// Looks for rules that discard packets, without one that names the port. It does not evaluate the rules.
    void checkFirewall(Findings findings) {
        String allow = "let UDP port " + GidSelector.ROCE_V2_PORT + " in: nft add rule inet filter input udp dport "
                + GidSelector.ROCE_V2_PORT + " accept, or iptables -I INPUT -p udp --dport "
                + GidSelector.ROCE_V2_PORT + " -j ACCEPT, or firewall-cmd --add-port="
                + GidSelector.ROCE_V2_PORT + "/udp";
        Optional<String> nftables = programs.apply(List.of("nft", "list", "ruleset"));
        Optional<String> iptables = programs.apply(List.of("iptables", "-S", "INPUT"));
        if (nftables.isEmpty() && iptables.isEmpty()) {
            findings.note(FIREWALL, "the rules cannot be read without root, and nft or iptables", allow);
            return;
        }
        boolean discards = INPUT_CHAIN.matcher(nftables.orElse(""))
                .results()
                .anyMatch(chain -> DISCARD.matcher(chain.group(1)).find())
                || DISCARD.matcher(iptables.orElse("")).find();
        if (discards && !OWN_PORT.matcher(nftables.orElse("") + "\n" + iptables.orElse("")).find()) {
            findings.warning(
                    FIREWALL,
                    "the firewall discards packets, and no rule names UDP port " + GidSelector.ROCE_V2_PORT
                            + " of RoCE v2; a rule with other criteria may still accept it",
                    allow);
        } else {
            findings.ok(FIREWALL,
                    discards ? "a rule names the UDP port of RoCE v2" : "the firewall accepts all packets");
        }
    }
}
