// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.failure.Privileges.Capability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivilegesTest {
    private static final String ROOT = "CapPrm:\t0\nCapEff:\t000001ffffffffff\nSeccomp:\t";
    private static final String WITHOUT_NET_ADMIN = "CapEff:\t000001ffffffefff\nSeccomp:\t0\n";
    private static final String FIRST = "user:[4026531837]";
    private static final String VLAN = "the interface is a VLAN";

    private static String explain(String status, String namespace) {
        return Privileges.parse(status, namespace).explainLackOf(Capability.CAP_NET_ADMIN, VLAN);
    }

    @Test
    void aMissingCapabilityIsTheCause() {
        assertThat(explain(WITHOUT_NET_ADMIN, FIRST)).contains("needs CAP_NET_ADMIN", "as root").doesNotContain(VLAN);
        assertThat(Privileges.parse(WITHOUT_NET_ADMIN, FIRST).explainLackOf(Capability.CAP_NET_RAW, ""))
                .doesNotContain("CAP_NET_RAW");
    }

    @Test
    void aCapabilityOfAnotherUserNamespaceIsNotEnough() {
        assertThat(explain(ROOT + "2\n", "user:[4026532200]"))
                .isEqualTo("it needs CAP_NET_ADMIN outside of user namespaces");
    }

    @Test
    void whoHasTheCapabilityIsRefusedForAnotherCause() {
        assertThat(explain(ROOT + "0\n", FIRST)).isEqualTo(VLAN);
        assertThat(explain(ROOT + "2\n", FIRST)).contains("possible", "seccomp", VLAN).doesNotContain("CAP_NET_ADMIN");
        assertThat(Privileges.parse(ROOT + "0\n", FIRST).explainLackOf(Capability.CAP_NET_RAW, ""))
                .contains("security module");
    }

    @Test
    void whatIsUnknownIsPossible() {
        assertThat(explain("", FIRST)).contains("possibly", "CAP_NET_ADMIN", VLAN);
    }

    @Test
    void aFilterIsAddedToCausesWhereThereIsOne() {
        assertThat(Privileges.parse(ROOT + "0\n", FIRST).withFilter("a cause")).isEqualTo("a cause");
        assertThat(Privileges.parse(ROOT + "2\n", FIRST).withFilter("a cause")).contains("possible", "a cause; ",
                "seccomp");
        assertThat(Privileges.parse(ROOT + "2\n", FIRST).withFilter("")).startsWith("possibly ").contains("seccomp");
    }

    /// The numbers of include/uapi/linux/capability.h.
    @ParameterizedTest
    @CsvSource({"CAP_NET_ADMIN, 12", "CAP_NET_RAW, 13", "CAP_IPC_LOCK, 14"})
    void capabilitiesAreBits(Capability capability, int number) {
        String only = "CapEff:\t" + Long.toHexString(1L << number);
        for (Capability each : Capability.values()) {
            assertThat(Privileges.parse(only, FIRST).hasOverMachine(each)).isEqualTo(each == capability);
        }
    }
}
