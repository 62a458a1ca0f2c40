// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The limit of locked memory, the device's objects, kernel memory or open files was reached (`ENOMEM`, `ENOBUFS`,
/// `EMFILE`, `ENFILE`), or a limit of the process's control group (`EAGAIN`).
public final class ResourceLimitException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// @param operation the verb that failed
    /// @param errno the kernel's error number, positive
    /// @param detail likely cause and remedy in a sentence; may be empty
    public ResourceLimitException(String operation, int errno, String detail) {
        super(operation, errno, detail);
    }
}
