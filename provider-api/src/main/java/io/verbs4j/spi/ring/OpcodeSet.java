// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

/// Represents sets of opcodes ([io.verbs4j.types.WorkRequestOpcode]) as numbers with one bit per opcode, so that a
/// check on the data path is fast.
public final class OpcodeSet {
    private OpcodeSet() {}

    /// Returns the set of the given opcodes.
    ///
    /// @param opcodes 0 to 31 each
    public static int of(int... opcodes) {
        int set = 0;
        for (int opcode : opcodes) {
            if ((opcode & ~31) != 0) {
                throw new IllegalArgumentException("opcode=" + opcode + " is not in 0..31");
            }
            set |= 1 << opcode;
        }
        return set;
    }

    /// Returns whether a set contains an opcode; false for invalid opcodes.
    public static boolean has(int set, int opcode) {
        return (opcode & ~31) == 0 && (set >>> opcode & 1) != 0;
    }
}
