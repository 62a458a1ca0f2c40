// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;

/// A completion, with numbers that are the same in each run.
///
/// @param id the work request's identifier
/// @param queuePair number of the end's queue pair, from 1
/// @param status the kernel's number
/// @param opcode the kernel's number
/// @param bytes number of transferred bytes
/// @param globalRoute whether it has the flag of a global route header
/// @param immediate whether it has the flag of immediate data
/// @param data immediate data
/// @param invalidated the window whose key was invalidated; may be empty
record WalkCompletion(
        long id,
        int queuePair,
        int status,
        int opcode,
        int bytes,
        boolean globalRoute,
        boolean immediate,
        int data,
        String invalidated) {
    @Override
    public String toString() {
        return id + " of queue pair " + queuePair + ": " + CompletionStatus.of(status) + " "
                + new CompletionOpcode(opcode) + " " + bytes
                + " bytes"
                + (globalRoute ? ", route" : "")
                + (immediate ? ", immediate 0x" + Integer.toHexString(data) : "")
                + (invalidated.isEmpty() ? "" : ", invalidated " + invalidated);
    }
}
