// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

/// Sets of opcodes ([io.verbs4j.types.WorkRequestOpcode]), as numbers with one bit an opcode, so that a look on the
/// data path is one shift.
public final class OpcodeSet {
    private OpcodeSet() {}

    /// Returns the set of these.
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

    /// Returns whether a set has an opcode; false for whatever is no opcode at all.
    public static boolean has(int set, int opcode) {
        return (opcode & ~31) == 0 && (set >>> opcode & 1) != 0;
    }
}
