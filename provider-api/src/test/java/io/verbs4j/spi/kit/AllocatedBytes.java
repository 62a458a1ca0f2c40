// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.kit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// Counts the allocations of this thread by `com.sun.management.ThreadMXBean`. The bean is found by name, because the
/// modules under test do not read its module.
final class AllocatedBytes {
    private static final MethodHandle COUNTER = counter();

    private AllocatedBytes() {}

    private static MethodHandle counter() {
        try {
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            return MethodHandles.publicLookup()
                    .findVirtual(
                            Class.forName("com.sun.management.ThreadMXBean"),
                            "getCurrentThreadAllocatedBytes",
                            MethodType.methodType(long.class))
                    .bindTo(bean);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this JVM does not count allocations", e);
        }
    }

    /// Returns the number of bytes that this thread has allocated.
    static long now() {
        try {
            return (long) COUNTER.invokeExact();
        } catch (Throwable e) {
            throw new LinkageError("this JVM does not count allocations", e);
        }
    }
}
