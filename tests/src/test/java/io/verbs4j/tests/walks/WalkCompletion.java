// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;

/// A completion, with numbers that do not differ from run to run.
///
/// @param id the work request's identifier
/// @param queuePair which of the end's queue pairs, counted from 1
/// @param status the kernel's number
/// @param opcode the kernel's number
/// @param bytes transferred
/// @param globalRoute whether it claims a global route header
/// @param immediate whether it claims immediate data
/// @param data immediate data
/// @param invalidated which window lost its key, or an empty text
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
