// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    @Test
    void onlyTheOutputOfASuccessCounts() {
        assertThat(Programs.output(List.of("sh", "-c", "echo found; echo hidden >&2"))).contains("found\n");
        assertThat(Programs.output(List.of("cat"))).as("its input is empty").contains("");
        assertThat(Programs.output(List.of("sh", "-c", "echo lost; exit 1"))).isEmpty();
        assertThat(Programs.output(List.of("/nowhere"))).isEmpty();
        Thread.currentThread().interrupt();
        assertThat(Programs.output(List.of("sleep", "1"))).isEmpty();
        assertThat(Thread.interrupted()).isTrue();
    }
}
