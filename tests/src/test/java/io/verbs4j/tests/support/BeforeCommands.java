// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.tests.locks.LockHooks;

/// Lets a test do something at the last moment before a command reaches the kernel.
public final class BeforeCommands {
    private BeforeCommands() {}

    /// Returns a file that passes every call on, and runs an action before each command.
    public static DeviceFile of(DeviceFile kernel, Runnable action) {
        return FileCalls.of(kernel, call -> {
            if (call.isCommand()) {
                LockHooks.apart(action);
            }
            return call.pass();
        });
    }
}
