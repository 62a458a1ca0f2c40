// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

/// Takes the place of DiSNI's class of the same name, whose methods are native. Threads are not bound to processors:
/// use `taskset` for the whole program.
public class NativeAffinity {
    /// Does nothing.
    public static void setAffinity(long affinity) {
        // A hint that nothing depends on.
    }

    /// Returns 0: any processor.
    public static long getAffinity() {
        return 0;
    }
}
