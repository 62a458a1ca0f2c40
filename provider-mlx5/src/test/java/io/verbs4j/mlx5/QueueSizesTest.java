// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sizes up to the limits of a card, and beyond. They are those of libmlx5 (`mlx5_calc_sq_size`, `mlx5_calc_rq_size`
/// and `mlx5_create_srq`, verbs.c).
class QueueSizesTest {
    private static final QueueSizes.Device CARD = new QueueSizes.Device(1024, 512, 32768, 32768, 32767);

    private static void compare(@Nullable String sizes, @Nullable String refusal, Supplier<Record> computed) {
        if (sizes != null) {
            assertThat(computed.get().toString()).isEqualTo(sizes);
        } else {
            assertThatIllegalArgumentException().isThrownBy(computed::get).withMessage(refusal);
        }
    }

    /// A queue without work requests takes no memory.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # type, work requests, buffers, inline | result | refusal
        RC |    0 |  9 |  33 | Send[blocks=0, capacity=0, inline=33]          |
        RC |    1 |  1 |   0 | Send[blocks=4, capacity=1, inline=60]          |
        UC |    3 |  1 |   0 | Send[blocks=16, capacity=4, inline=60]         |
        UD |    1 |  1 |   0 | Send[blocks=2, capacity=1, inline=60]          |
        UD |    4 |  2 |  60 | Send[blocks=8, capacity=4, inline=60]          |
        UD |    4 |  2 |  61 | Send[blocks=16, capacity=5, inline=124]        |
        RC |    1 | 52 | 828 | Send[blocks=16, capacity=1, inline=828]        |
        RC |    1 |  1 | 829 | | maxSendScatterGather=1, maxInlineData=829 need a work request of 1088 bytes; \
        the device takes 1024
        RC |    1 | 53 |   0 | | maxSendScatterGather=53, maxInlineData=0 need a work request of 1088 bytes; \
        the device takes 1024
        RC | 8192 |  1 |   0 | Send[blocks=32768, capacity=8192, inline=60]   |
        RC | 8193 |  1 |   0 | | maxSendWorkRequests=8193 need 65536 blocks; the device takes 32768
        """)
    void sends(QueuePairType type, int requests, int buffers, int inline, String sizes, String refusal) {
        compare(sizes, refusal, () -> QueueSizes.send(
                CARD, type, new QueuePairCapabilities(requests, 0, buffers, 0, inline)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # work requests, buffers | result | refusal
        0     |  5 | Receive[count=0, shift=0]       |
        1     |  0 | Receive[count=4, shift=4]       |
        1     |  1 | Receive[count=4, shift=4]       |
        5     |  1 | Receive[count=8, shift=4]       |
        3     |  3 | Receive[count=4, shift=6]       |
        32768 | 32 | Receive[count=32768, shift=9]   |
        32769 |  1 | | maxReceiveWorkRequests=32769 is not in 0..32768, or maxReceiveScatterGather=1 not in 0..32
        1     | 33 | | maxReceiveWorkRequests=1 is not in 0..32768, or maxReceiveScatterGather=33 not in 0..32
        """)
    void receives(int requests, int buffers, String sizes, String refusal) {
        compare(sizes, refusal, () -> QueueSizes.receive(
                CARD, new QueuePairCapabilities(0, requests, 0, buffers, 0)));
    }

    /// A second list is reserved while the card has elements for it.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # work requests, buffers | result | refusal
        1     |  0 | Shared[count=4, usable=2, shift=5]             |
        3     |  1 | Shared[count=8, usable=4, shift=5]             |
        1     |  2 | Shared[count=4, usable=2, shift=6]             |
        16383 |  1 | Shared[count=32768, usable=16384, shift=5]     |
        16384 |  1 | Shared[count=32768, usable=32768, shift=5]     |
        32767 | 31 | Shared[count=32768, usable=32768, shift=9]     |
        32768 |  1 | | maxWorkRequests=32768 is not in 1..32767, or maxScatterGather=1 not in 0..31
        1     | 32 | | maxWorkRequests=1 is not in 1..32767, or maxScatterGather=32 not in 0..31
        """)
    void sharedReceives(int requests, int buffers, String sizes, String refusal) {
        var channel = CommandChannel.open(
                new FakeMlx5Kernel(new StringBuilder(), 0), 1, "mlx5_0", 1, Transport.WRITE);
        var domain = new ProviderProtectionDomain(channel, 1);
        compare(sizes, refusal, () -> QueueSizes.shared(
                CARD, new SharedReceiveQueueRequest(domain, 0, requests, buffers, 0)));
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 4", "3, 4", "4, 8", "16777215, 16777216"})
    void completions(int entries, int count) {
        assertThat(QueueSizes.completions(entries)).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "16777216", "2147483647"})
    void otherNumbersOfCompletionsAreRefused(int entries) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueSizes.completions(entries))
                .withMessage("entries=" + entries + " is not in 1..16777215");
    }

    @ParameterizedTest
    @CsvSource({"1024, 828", "197, 1", "196, 0", "100, 0"})
    void inlineDataFollowsTheLongestHead(int sendBytes, int inline) {
        assertThat(QueueSizes.maxInline(new QueueSizes.Device(sendBytes, 512, 1, 1, 1))).isEqualTo(inline);
    }
}
