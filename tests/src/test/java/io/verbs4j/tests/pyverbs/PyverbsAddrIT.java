// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.VerbsException;
import org.junit.jupiter.api.Test;

/// Address handles, as in `test_addr.py`.
@PyverbsScenarios
@Covers({"ibv_create_ah", "ibv_destroy_ah"})
@Needs.OneKernel
class PyverbsAddrIT {
    private static final AddressVector OWN = AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1));

    @Test
    @Scenario("test_addr.AHTest.test_create_ah")
    void createsAnAddressHandle() {
        try (Context context = Rxe.open()) {
            var handle = context.allocateProtectionDomain().createAddressHandle(OWN);
            assertThat(handle.path()).isEqualTo(OWN);
        }
    }

    /// In Java every path has a GID. What the suite leaves out is nearest to one that is all zero.
    @Test
    @Scenario("test_addr.AHTest.test_create_ah_roce")
    void createsNoneWithoutAGid() {
        try (Context context = Rxe.open()) {
            var domain = context.allocateProtectionDomain();
            assertThatThrownBy(() -> domain.createAddressHandle(AddressVector.roce(1, Rxe.IPV4_INDEX, Gid.ZERO)))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno())
                            .isEqualTo(Errno.EINVAL));
        }
    }

    @Test
    @Scenario("test_addr.AHTest.test_destroy_ah")
    void destroysAnAddressHandle() {
        try (Context context = Rxe.open()) {
            var handle = context.allocateProtectionDomain().createAddressHandle(OWN);
            handle.close();
            assertThat(handle.isClosed()).isTrue();
            handle.close();
        }
    }
}
