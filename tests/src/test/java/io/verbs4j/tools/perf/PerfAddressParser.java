// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.util.Arrays;

/// The messages by which the ends of a `perf` test introduce themselves, for tests in other packages.
public final class PerfAddressParser {
    /// Length of the form that goes over RDMA.
    public static final int STRUCT_BYTES = PerfAddress.NONE.toStruct().length;

    private PerfAddressParser() {}

    public static void readText(byte[] message) {
        PerfAddress.parse(message).toMessage();
    }

    /// @param struct filled up or cut to its length, as the wire reads it
    public static void readStruct(byte[] struct) {
        PerfAddress.ofStruct(Arrays.copyOf(struct, STRUCT_BYTES)).toStruct();
    }
}
