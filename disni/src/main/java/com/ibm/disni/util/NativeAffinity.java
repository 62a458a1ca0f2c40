// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

/// Replaces DiSNI's class of the same name, whose methods are native. Threads are not bound to processors. Use
/// `taskset` for the whole program.
public class NativeAffinity {
    /// Does nothing.
    public static void setAffinity(long affinity) {
        // The affinity is only a hint.
    }

    /// Returns 0, which means any processor.
    public static long getAffinity() {
        return 0;
    }
}
