// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The device was removed (`EIO`, `ENODEV`, `ENXIO`).
public final class DeviceGoneException extends VerbsException {
    private static final long serialVersionUID = 1;

    /// @param operation the verb that failed
    /// @param errno the kernel's error number, positive
    /// @param detail likely cause and remedy in a sentence; may be empty
    public DeviceGoneException(String operation, int errno, String detail) {
        super(operation, errno, detail);
    }
}
