// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.uapi.RdmaDriver;
import java.util.List;
import org.junit.jupiter.api.Test;

class MissingProviderTest {
    @Test
    void namesTheArtifactThatIsMissing() {
        assertThat(MissingProvider.explain(RdmaDriver.SIW, 1, List.of()))
                .isEqualTo(
                        "its driver siw needs the artifact io.verbs4j:verbs4j-provider-siw on the class path or module path");
    }

    @Test
    void namesTheVersionsThatTheProviderKnows() {
        assertThat(MissingProvider.explain(RdmaDriver.RXE, 9, Providers.all())).contains("rxe has ABI 9",
                "supports 1 to 2");
    }

    @Test
    void saysThatNoArtifactHasTheDriver() {
        assertThat(MissingProvider.explain(2, 1, List.of())).contains("no provider drives mlx4", "rxe, siw, mlx5",
                "none");
    }

    @Test
    void saysThatTheDriverCannotBeAskedFor() {
        assertThat(MissingProvider.explain(RdmaDriver.UNKNOWN, 1, Providers.all())).contains("netlink",
                "--network=host");
    }
}
