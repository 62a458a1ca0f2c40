// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tools.common.Findings;
import io.verbs4j.tools.common.Severity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that look at files and programs alone, on systems that are made up.
class ChecksTest {
    private static final String RELEASE = "6.12.9-amd64";

    @TempDir private Path root;

    private final Findings findings = new Findings();

    private void file(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SystemFiles files() {
        return new SystemFiles(root);
    }

    private List<String> found(Severity severity) {
        return findings.all()
                .stream()
                .filter(finding -> finding.severity() == severity)
                .map(finding -> finding.message() + " → " + finding.remedy())
                .toList();
    }

    @Test
    void missingModulesAreToBeLoaded() {
        file("sys/class/net/eth0/ifindex", "2");
        file("lib/modules/" + RELEASE + "/modules.dep",
                "kernel/a/ib_uverbs.ko.xz:\nkernel/b/rdma_rxe.ko.xz: kernel/c.ko\n");

        new KernelChecks(files(), RELEASE).run(findings);

        assertThat(found(Severity.ERROR)).singleElement().asString().contains("ib_uverbs", "→ modprobe ib_uverbs");
        assertThat(found(Severity.WARNING)).singleElement().asString().contains("rdma_rxe", "→ modprobe rdma_rxe");
        assertThat(findings.worst().exitCode()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "2  | false | true  | modprobe rdma_ucm",
            "2  | false | false | modprobe rdma_ucm, or give the container the node: --device=/dev/infiniband/rdma_cm",
            "2  | true  | true  | give the container the node: --device=/dev/infiniband/rdma_cm",
            "13 | true  | true  | chmod 0666 /dev/infiniband/rdma_cm, or a udev rule that does so",
            "1  | true  | true  | allow the node in the container's device rules: --device=/dev/infiniband/rdma_cm",
            "24 | true  | true  | verbs abi errors EMFILE"
    })
    void whatTheConnectionManagerLacksIsNamed(int errno, boolean loaded, boolean known, String remedy) {
        assertThat(ConnectionChecks.remedy(errno, loaded, known)).isEqualTo(remedy);
    }

    /// A container without `/sys` may still have `/proc`, which lists loaded modules but not built-in ones.
    @Test
    void aHiddenSysfsIsNoMissingModule() {
        file("proc/modules", "rdma_rxe 196608 0 - Live 0x0\nib_uverbs_not 1 0 - Live 0x0\n");

        new KernelChecks(files(), RELEASE).run(findings);

        assertThat(found(Severity.NOTE))
                .anyMatch(text -> text.contains("sysfs is hidden") && text.contains("ib_uverbs"))
                .noneMatch(text -> text.contains("whether rdma_rxe"));
        assertThat(found(Severity.OK)).anyMatch(text -> text.contains("rdma_rxe is loaded"));
        assertThat(findings.all()).noneMatch(finding -> finding.toString().contains("modprobe"));
    }

    @Test
    void aKernelWithoutTheModuleNeedsAnother() {
        file("sys/class/net/eth0/ifindex", "2");
        file("lib/modules/" + RELEASE + "/modules.dep", "kernel/a/ib_uverbs.ko:\n");
        file("sys/module/ib_uverbs/refcnt", "0");

        new KernelChecks(files(), RELEASE).run(findings);

        assertThat(found(Severity.WARNING))
                .singleElement()
                .asString()
                .contains("lacks the module", "linux-modules-extra-" + RELEASE);
        assertThat(findings.worst().exitCode()).isEqualTo(3);
    }

    @Test
    void quirksAreThoseOfTheKernel() {
        file("sys/module/ib_uverbs/refcnt", "0");
        file("sys/module/rdma_rxe/refcnt", "0");

        new KernelChecks(files(), "6.1.0-9-amd64").run(findings);
        assertThat(found(Severity.NOTE)).anyMatch(text -> text.contains("flush") && text.contains("since 6.2"))
                .noneMatch(text -> text.contains("flushed"));

        var newer = new Findings();
        new KernelChecks(files(), "7.2.12").run(newer);
        assertThat(newer.all())
                .anyMatch(finding -> finding.message().contains("as flushed work requests"))
                .noneMatch(finding -> finding.message().contains("since 6.2"));
        assertThat(newer.worst()).isEqualTo(Severity.NOTE);
        assertThat(newer.worst().exitCode()).isZero();
    }

    @Test
    void tooSmallALimitOfLockedMemoryIsAnError() {
        file("proc/self/limits", "Max locked memory         65536                65536                bytes\n");
        file("proc/self/status", "CapEff:\t0000000000000000\n");

        new MemoryCheck(files()).run(1 << 20, findings);
        assertThat(found(Severity.ERROR)).singleElement().asString().contains("65536", "1048576", "LimitMEMLOCK=");

        var enough = new Findings();
        new MemoryCheck(files()).run(65536, enough);
        assertThat(enough.worst()).isEqualTo(Severity.OK);
    }

    @Test
    void aCapabilityLiftsTheLimit() {
        file("proc/self/limits", "Max locked memory         65536                65536                bytes\n");
        file("proc/self/status", "CapEff:\t0000000000004000\n");
        new MemoryCheck(files()).run(1 << 20, findings);
        assertThat(found(Severity.OK)).singleElement().asString().contains("CAP_IPC_LOCK");
    }

    @Test
    void noLimitIsEnough() {
        file("proc/self/limits", "Max locked memory         unlimited            unlimited            bytes\n");
        new MemoryCheck(files()).run(Long.MAX_VALUE, findings);
        assertThat(found(Severity.OK)).singleElement().asString().contains("unlimited");
    }

    private NetworkChecks network(Map<String, String> outputs) {
        return new NetworkChecks(files(), command -> Optional.ofNullable(outputs.get(command.getFirst())));
    }

    @Test
    void twoDevicesOnOneInterfaceAndOneOnNoneAreWarnedOf() {
        file("proc/net/dev", "Inter-|   Receive\n face |bytes\n  eth0: 0 0\n eth99: 0 0\n");
        network(Map.of()).checkInterfaces(new TreeMap<>(Map.of("rxe0", "eth0", "siw0", "eth0", "rxe1", "eth9")),
                findings);
        assertThat(found(Severity.WARNING))
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text).contains("rxe0 and siw0 both sit on eth0"),
                        text -> assertThat(text).contains("rxe1 sits on eth9, which is not in this network namespace"));
    }

    @Test
    void theUdpPortOfRxeMustBeOpen() {
        file("proc/net/udp", "  sl  local_address\n 1: 00000000:12B7 00000000:0000 07\n");
        network(Map.of()).checkUdp(findings);
        assertThat(found(Severity.OK)).singleElement().asString().contains("4791");

        file("proc/net/udp", "  sl  local_address\n 1: 00000000:0044 00000000:0000 07\n");
        network(Map.of()).checkUdp(findings);
        assertThat(found(Severity.WARNING)).singleElement().asString().contains("port 4791 is not open");
    }

    @Test
    void whatProcHidesIsNotReportedAsMissing() {
        network(Map.of()).checkInterfaces(Map.of("rxe0", "eth0"), findings);
        network(Map.of()).checkUdp(findings);
        assertThat(findings.all()).hasSize(2).allMatch(finding -> finding.severity() == Severity.NOTE);
    }

    @Test
    void aFirewallThatDiscardsMustNameThePort() {
        String chain =
                "table inet filter {\n chain input {\n  type filter hook input priority filter; policy drop;\n  %s\n }\n}\n";
        network(Map.of("nft", String.format(chain, "tcp dport 22 accept"))).checkFirewall(findings);
        assertThat(found(Severity.WARNING)).singleElement().asString().contains("UDP port 4791", "nft add rule");

        network(Map.of("nft", String.format(chain, "udp dport 4791 accept"))).checkFirewall(findings);
        network(Map.of("iptables", "-P INPUT ACCEPT\n")).checkFirewall(findings);
        assertThat(found(Severity.OK)).hasSize(2);

        network(Map.of("iptables", "-P INPUT DROP\n")).checkFirewall(findings);
        assertThat(found(Severity.WARNING)).hasSize(2);
    }

    /// The ruleset of firewalld, cut down to the way of a packet in the zone `public`.
    private static final String FIREWALLD = """
        table inet firewalld {
        	chain filter_INPUT {
        		type filter hook input priority filter + 10; policy accept;
        		ct state { established, related } accept
        		ct status dnat accept
        		iifname "lo" accept
        		ct state invalid drop
        		jump filter_INPUT_ZONES
        		reject with icmpx admin-prohibited
        	}

        	chain filter_IN_public_allow {
        		tcp dport 22 accept
        		ip6 daddr fe80::/64 udp dport 546 accept
        		%s
        	}
        }
        """;

    @Test
    void setsInBracesDoNotHideWhatFirewalldDiscards() {
        network(Map.of("nft", String.format(FIREWALLD, ""))).checkFirewall(findings);
        assertThat(found(Severity.WARNING)).singleElement().asString().contains("firewall-cmd --add-port=4791/udp");

        network(Map.of("nft", String.format(FIREWALLD, "udp dport 4791 accept"))).checkFirewall(findings);
        assertThat(found(Severity.OK)).singleElement().asString().contains("a rule names the UDP port");
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp dport { 53, 4791 } accept", "elements = { 4791 }", "-p udp -m udp --dports 53,4791"})
    void aPortIsNamedInListsAndSetsToo(String rule) {
        network(Map.of("nft", String.format(FIREWALLD, rule))).checkFirewall(findings);
        assertThat(found(Severity.OK)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "udp dport 14791 accept", "udp dport 47910 accept", "tcp dport 80 counter packets 4791 bytes 4791 accept"
    })
    void anotherNumberIsNotThePort(String rule) {
        network(Map.of("nft", String.format(FIREWALLD, rule))).checkFirewall(findings);
        assertThat(found(Severity.WARNING)).hasSize(1);
    }

    @Test
    void aFirewallThatDiscardsOnlyWhatBelongsToNoConnectionLetsEverythingIn() {
        String chain =
                "chain input {\n type filter hook input priority filter; policy accept;\n ct state invalid %s\n}\n"
                        + "chain forward {\n type filter hook forward priority filter; policy drop;\n}\n";
        network(Map.of("nft", String.format(chain, "drop"))).checkFirewall(findings);
        network(Map.of("nft", String.format(chain, "counter packets 1 bytes 40 drop"))).checkFirewall(findings);
        assertThat(found(Severity.OK)).hasSize(2).allMatch(text -> text.contains("the firewall accepts all packets"));
    }

    @Test
    void aFirewallThatCannotBeReadIsNoted() {
        network(Map.of()).checkFirewall(findings);
        assertThat(found(Severity.NOTE)).singleElement().asString().contains("cannot be read");
    }

    @Test
    void devicesThatBelongToNamespacesAreNoted() {
        network(Map.of()).reportNamespaces(false, findings);
        assertThat(found(Severity.NOTE)).singleElement().asString().contains("belongs to one network namespace");
        network(Map.of()).reportNamespaces(true, findings);
        assertThat(found(Severity.OK)).hasSize(1);
    }
}
