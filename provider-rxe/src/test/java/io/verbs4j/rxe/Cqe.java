// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.Completion;
import java.nio.ByteBuffer;

/// An independent decoder of completions. Its offsets were counted by hand from `struct ib_uverbs_wc`
/// (include/uapi/rdma/ib_user_verbs.h), not taken from the provider's layout.
final class Cqe {
    private Cqe() {}

    /// Compares the completion that the provider has read with the bytes that the kernel had written.
    static void assertDecoded(Completion completion, byte[] element) {
        ByteBuffer bytes = ByteBuffer.wrap(element).order(LITTLE_ENDIAN);
        int flags = bytes.getInt(36);
        assertThat(completion.workRequestId()).isEqualTo(bytes.getLong(0));
        assertThat(completion.status()).isEqualTo(bytes.getInt(8));
        assertThat(completion.opcode()).isEqualTo(bytes.getInt(12));
        assertThat(completion.vendorError()).isEqualTo(bytes.getInt(16));
        assertThat(completion.byteLength()).isEqualTo(bytes.getInt(20));
        assertThat(completion.queuePairNumber()).isEqualTo(bytes.getInt(28));
        assertThat(completion.sourceQueuePair()).isEqualTo(bytes.getInt(32));
        assertThat(completion.flags()).isEqualTo(flags);
        assertThat(completion.pkeyIndex()).isEqualTo(bytes.getShort(40) & 0xffff);
        assertThat(completion.sourceLid()).isEqualTo(bytes.getShort(42) & 0xffff);
        assertThat(completion.serviceLevel()).isEqualTo(bytes.get(44) & 0xff);
        assertThat(completion.pathBits()).isEqualTo(bytes.get(45) & 0xff);
        boolean immediate = (flags & 2) != 0;
        assertThat(completion.immediateDataOrKey())
                .isEqualTo(bytes.order(immediate ? BIG_ENDIAN : LITTLE_ENDIAN).getInt(24));
    }
}
