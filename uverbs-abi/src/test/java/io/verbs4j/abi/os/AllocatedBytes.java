// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

/// Counts the allocations of a thread.
final class AllocatedBytes {
    private AllocatedBytes() {}

    /// Returns the bytes that this thread has allocated. Uses reflection, because the module itself does not need the
    /// management module.
    static long now() throws ReflectiveOperationException {
        Object bean = Class.forName("java.lang.management.ManagementFactory").getMethod("getThreadMXBean").invoke(null);
        return (long) Class.forName("com.sun.management.ThreadMXBean")
                .getMethod("getThreadAllocatedBytes", long.class)
                .invoke(bean, Thread.currentThread().threadId());
    }
}
