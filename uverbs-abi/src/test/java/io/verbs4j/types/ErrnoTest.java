// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrnoTest {
    @Test
    void aNumberIsDescribedAsTheCLibraryDoes() {
        assertThat(Errno.describe(Errno.EINVAL)).isEqualTo("EINVAL (22, Invalid argument)");
        assertThat(Errno.name(Errno.EHOSTUNREACH)).isEqualTo("EHOSTUNREACH");
    }

    @Test
    void anUnlistedNumberIsKept() {
        assertThat(Errno.name(200)).isEqualTo("errno 200");
        assertThat(Errno.describe(200)).contains("200");
    }

    @Test
    void anExceptionSaysWhatFailedAndWhy() {
        assertThat(new VerbsException("create queue pair", Errno.EINVAL, ""))
                .hasMessage("create queue pair failed: EINVAL (22, Invalid argument)");
        assertThat(new ResourceLimitException("register memory", Errno.ENOMEM, "too much"))
                .hasMessage("register memory failed: ENOMEM (12, Cannot allocate memory): too much");
    }
}
