// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tools.common.Findings;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// GID tables that are made up: some hold on real devices for a moment only.
class GidChecksTest {
    private static final Gid LINK_LOCAL = Gid.parse("fe80:0000:0000:0000:0000:00ff:fe00:0001");
    private static final Gid IPV4 = Gid.parse("0000:0000:0000:0000:0000:ffff:0a09:0001");
    private static final Gid OTHER = Gid.parse("0000:0000:0000:0000:0000:ffff:0a09:0002");

    private static List<String> found(Set<Gid> addresses, Gid... table) {
        var findings = new Findings();
        List<GidEntry> gids = IntStream.range(0, table.length)
                .mapToObj(index -> new GidEntry(table[index], index, 1, GidType.ROCE_V2, 2))
                .toList();
        new GidChecks("rxe0/1", "veth0", findings).run(gids, addresses);
        return findings.all()
                .stream()
                .map(finding -> finding.severity() + " " + finding.message() + " → " + finding.remedy())
                .toList();
    }

    @Test
    void anEmptyTableNeedsAnAddress() {
        assertThat(found(Set.of()))
                .containsExactly("ERROR the GID table is empty → ip address add 192.0.2.1/24 dev veth0");
    }

    @Test
    void aTableWithoutIpv4IsWarnedOf() {
        assertThat(found(Set.of(LINK_LOCAL), LINK_LOCAL))
                .satisfiesExactly(
                        warning -> assertThat(warning).startsWith("WARNING no RoCE v2 GID has an IPv4 address"),
                        ok -> assertThat(ok).startsWith("OK 1 GIDs, each with its address"));
    }

    @Test
    void anAddressWithoutGidIsNamed() {
        assertThat(found(Set.of(IPV4, OTHER), LINK_LOCAL, IPV4))
                .singleElement()
                .asString()
                .startsWith(
                        "WARNING addresses of veth0 without a GID: [" + OTHER + "] → ip link set veth0 down and up");
    }

    @Test
    void aGidWhoseAddressIsGoneIsNamed() {
        assertThat(found(Set.of(OTHER), LINK_LOCAL, IPV4, OTHER))
                .singleElement()
                .asString()
                .startsWith("WARNING GIDs without an address of veth0 at index 1 → do not use them");
    }

    @Test
    void addressesThatAreNotKnownAreNotMissed() {
        assertThat(found(Set.of(), LINK_LOCAL, IPV4))
                .singleElement()
                .asString()
                .startsWith("OK 2 GIDs");
    }
}
