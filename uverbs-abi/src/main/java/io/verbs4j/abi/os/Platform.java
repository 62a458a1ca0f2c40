// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// What the struct layouts and system calls of verbs4j assume: Linux, 64 bits, little-endian.
final class Platform {
    private static final boolean SUPPORTED = System.getProperty("os.name").equals("Linux")
            && ValueLayout.ADDRESS.byteSize() == Long.BYTES
            && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Platform() {}

    /// @throws UnsupportedOperationException if this is another platform
    static void check() {
        if (!SUPPORTED) {
            throw new UnsupportedOperationException("RDMA verbs need 64-bit little-endian Linux; this is "
                    + System.getProperty("os.name") + " on " + System.getProperty("os.arch") + ", "
                    + 8 * ValueLayout.ADDRESS.byteSize() + " bits, " + ByteOrder.nativeOrder());
        }
    }
}
