// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// A limit was reached: of locked memory, of the device's objects, of kernel memory or of open files (`ENOMEM`,
/// `ENOBUFS`, `EMFILE`, `ENFILE`), or of the process's control group (`EAGAIN`).
public final class ResourceLimitException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// @param operation the verb that failed
    /// @param errno the kernel's error number, positive
    /// @param detail likely cause and remedy in a sentence; may be empty
    public ResourceLimitException(String operation, int errno, String detail) {
        super(operation, errno, detail);
    }
}
