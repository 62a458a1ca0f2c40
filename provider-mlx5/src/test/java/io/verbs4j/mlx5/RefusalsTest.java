// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// The provider does not use devices that it does not support.
class RefusalsTest {
    @Test
    void refusesOtherProcessors() {
        assertThatThrownBy(() -> Mlx5ProviderFactory.requireProcessor("aarch64"))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("processor=aarch64")
                .hasMessageContaining("x86-64 only");
        assertThatCode(() -> Mlx5ProviderFactory.requireProcessor("amd64")).doesNotThrowAnyException();
    }

    @Test
    void refusesUnknownGenerations() {
        assertThatThrownBy(() -> Mlx5Context.requireKnown(0x2c9, 4999, 0))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("part=4999");
        assertThatThrownBy(() -> Mlx5Context.requireKnown(0x8086, 4119, 0)).isInstanceOf(NotSupportedException.class);
        assertThatCode(() -> Mlx5Context.requireKnown(0x2c9, 4119, 0)).doesNotThrowAnyException();
    }

    @Test
    void refusesAnotherFormOfCompletions() {
        assertThatThrownBy(() -> Mlx5Context.requireKnown(0x2c9, 4119, 1))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("completionVersion=1");
    }

    @Test
    void knowsTheFeaturesOfItsCard() {
        try (var device = new PlayedMlx5()) {
            assertThat(Arrays.stream(Feature.values()).filter(device.context()::supports)).containsExactly(
                    Feature.SHARED_RECEIVE_QUEUE,
                    Feature.RESIZE_COMPLETION_QUEUE,
                    Feature.ATOMICS,
                    Feature.MEMORY_WINDOW_TYPE_1,
                    Feature.REREGISTER_MEMORY);
        }
    }
}
