// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// A verb failed: the kernel refused it, or the device does not support it.
///
/// The message contains the operation, the errno with its meaning, and the usual cause. Subclasses exist only for cases
/// that callers distinguish.
public class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String operation;
    private final int errno;

    /// @param operation the verb that failed, such as `create completion queue`
    /// @param errno the kernel's error number, positive
    /// @param detail likely cause and remedy in a sentence; may be empty
    public VerbsException(String operation, int errno, String detail) {
        super(operation + " failed: " + Errno.describe(errno) + (detail.isEmpty() ? "" : ": " + detail));
        this.operation = operation;
        this.errno = errno;
    }

    /// Returns the verb that failed, such as `create completion queue`.
    public String operation() {
        return operation;
    }

    /// Returns the kernel's error number, positive; see [Errno].
    public int errno() {
        return errno;
    }
}
