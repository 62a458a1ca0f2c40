// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.spi.Completion;
import io.verbs4j.types.CompletionOpcode;

/// The device's numbers in completions, and their meanings (`MLX5_OPCODE_*`, `MLX5_CQE_*`, `MLX5_CQE_SYNDROME_*`).
final class WireOpcodes {
    private static final int UNKNOWN_STATUS = 21; // IBV_WC_GENERAL_ERR

    private WireOpcodes() {}

    /// Returns the opcode of a request's completion.
    ///
    /// @param operation the device's opcode
    /// @param kind the kind of a key change, recorded by the queue
    static int completion(int operation, int kind) {
        return switch (operation) {
            case 0x08, 0x09 -> CompletionOpcode.RDMA_WRITE.value();
            case 0x01, 0x0a, 0x0b -> CompletionOpcode.SEND.value();
            case 0x10 -> CompletionOpcode.RDMA_READ.value();
            case 0x11 -> CompletionOpcode.COMPARE_AND_SWAP.value();
            case 0x12 -> CompletionOpcode.FETCH_AND_ADD.value();
            default -> kind;
        };
    }

    /// Returns whether a request returns bytes.
    static boolean hasResult(int operation) {
        return operation >= 0x10 && operation <= 0x12;
    }

    static boolean isAtomic(int operation) {
        return operation == 0x11 || operation == 0x12;
    }

    /// Returns the opcode of a receive's completion.
    static int receive(int kind) {
        return (kind == 1 ? CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE : CompletionOpcode.RECEIVE).value();
    }

    static int receiveFlags(int kind) {
        return switch (kind) {
            case 1, 3 -> Completion.WITH_IMMEDIATE;
            case 4 -> Completion.WITH_INVALIDATE;
            default -> 0;
        };
    }

    /// Returns the `enum ib_wc_status` of a syndrome.
    static int status(int syndrome) {
        return switch (syndrome) {
            case 0x01 -> 1; // local length
            case 0x02 -> 2; // local queue pair operation
            case 0x04 -> 4; // local protection
            case 0x05 -> 5; // flushed
            case 0x06 -> 6; // bind of a memory window
            case 0x10 -> 7; // bad response
            case 0x11 -> 8; // local access
            case 0x12 -> 9; // remote invalid request
            case 0x13 -> 10; // remote access
            case 0x14 -> 11; // remote operation
            case 0x15 -> 12; // retries exceeded
            case 0x16 -> 13; // receiver not ready
            case 0x22 -> 16; // remote aborted
            default -> UNKNOWN_STATUS;
        };
    }
}
