// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import java.util.Arrays;
import java.util.List;
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

    /// The numbers of rdma_user_ioctl_cmds.h (`RDMA_DRIVER_MLX5`) and mlx5-abi.h (`MLX5_IB_UVERBS_ABI_VERSION`).
    @Test
    void isTheProviderOfMlx5() {
        var factory = new Mlx5ProviderFactory();
        assertThat(factory.name()).isEqualTo("mlx5");
        assertThat(List.of(factory.driverId(), factory.minimumAbiVersion(), factory.maximumAbiVersion()))
                .containsExactly(1, 1, 1);
        assertThat(factory.isExperimental()).isTrue();
        assertThat(factory.abi().structs()).contains(CommandStructs.CREATE_QP);
        try (var device = new PlayedMlx5()) {
            assertThat(device.context().providerName()).isEqualTo("mlx5");
        }
    }

    @Test
    void leavesNothingOfAClosedContext() {
        var kernel = new FakeMlx5Kernel(new StringBuilder(), 32768);
        Mlx5Context.open(CommandChannel.open(kernel, 1, "mlx5_0", 1, Transport.WRITE)).close();
        assertThat(kernel.left()).as("what the caller closes").containsExactly("file 76", "the device");
        kernel.free();
    }
}
