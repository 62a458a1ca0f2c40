// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import io.verbs4j.types.Ranges;
import java.nio.ByteBuffer;

/// Flush extended transport header (IBA vol. 1, A19.4.1; `struct rxe_feth` in drivers/infiniband/sw/rxe/rxe_hdr.h).
///
/// @param placementType bit 0 global visibility, bit 1 persistence
/// @param selectivity 0 the range of the RETH, 1 its whole memory region
public record Feth(int placementType, int selectivity) implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 4;

    /// Checks the ranges.
    public Feth {
        Ranges.check("placementType", placementType, 0, 15);
        Ranges.check("selectivity", selectivity, 0, 3);
    }

    /// Reads the header. Reserved bits are not kept.
    public static Feth parse(ByteBuffer buffer) {
        int bits = buffer.getInt();
        return new Feth(bits & 0xf, bits >>> 4 & 3);
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.putInt(selectivity << 4 | placementType);
    }
}
