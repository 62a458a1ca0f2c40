// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The device, its driver or the kernel does not support the operation (`EOPNOTSUPP`, `EPROTONOSUPPORT`, `ENOTTY`).
public final class NotSupportedException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// @param operation the verb that failed
    /// @param errno the kernel's error number, positive
    /// @param detail likely cause and remedy in a sentence; may be empty
    public NotSupportedException(String operation, int errno, String detail) {
        super(operation, errno, detail);
    }
}
