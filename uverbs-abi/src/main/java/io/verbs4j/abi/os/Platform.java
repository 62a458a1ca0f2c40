// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Checks the requirements of verbs4j. Called before the first native call, because a failure to link a function would
/// be an `ExceptionInInitializerError`.
public final class Platform {
    private static final boolean LAYOUTS_FIT =
            ValueLayout.ADDRESS.byteSize() == Long.BYTES && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static volatile boolean nativeAccess;

    private Platform() {}

    /// Checks the requirements of system calls: Linux, 64 bits, little-endian, and native access.
    ///
    /// @throws UnsupportedOperationException if this is another platform
    /// @throws IllegalStateException if the virtual machine does not allow native access
    static void check() {
        if (!LAYOUTS_FIT || !System.getProperty("os.name").equals("Linux")) {
            throw new UnsupportedOperationException("RDMA verbs require 64-bit little-endian Linux; this is "
                    + System.getProperty("os.name") + " on " + System.getProperty("os.arch") + ", "
                    + 8 * ValueLayout.ADDRESS.byteSize() + " bits, " + ByteOrder.nativeOrder());
        }
        checkNativeAccess();
    }

    /// Checks that this module may access native memory, which all rings need, including those of simulated devices.
    ///
    /// @throws IllegalStateException if the virtual machine does not allow it
    public static void checkNativeAccess() {
        if (!nativeAccess) {
            try {
                nativeAccess = tryNativeAccess();
            } catch (IllegalCallerException e) {
                throw new IllegalStateException(explain(Platform.class.getModule()), e);
            }
        }
    }

    /// @param module this one, or the unnamed module of the class path
    static String explain(Module module) {
        return module.isNamed()
                ? "Java forbids native access to the module " + module.getName()
                        + ": start it with --enable-native-access="
                        + module.getName()
                : "Java forbids native access to the class path: start it with --enable-native-access=ALL-UNNAMED, or"
                        + " write Enable-Native-Access: ALL-UNNAMED into the manifest of an executable jar";
    }

    /// Makes the cheapest call that requires native access.
    @SuppressWarnings("restricted")
    private static boolean tryNativeAccess() {
        return MemorySegment.NULL.reinterpret(1).byteSize() == 1;
    }
}
