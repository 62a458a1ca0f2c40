// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.tests.locks.LockHooks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/// Lets a test do something at the last moment before a command reaches the kernel.
public final class BeforeCommands {
    private static final Set<String> COMMANDS = Set.of("ioctl", "write");

    private BeforeCommands() {}

    /// Returns a file that passes every call on, and runs an action before each command.
    public static DeviceFile of(DeviceFile kernel, Runnable action) {
        return (DeviceFile) Proxy.newProxyInstance(
                BeforeCommands.class.getClassLoader(),
                new Class<?>[]{DeviceFile.class},
                (proxy, method, arguments) -> {
                    if (COMMANDS.contains(method.getName())) {
                        LockHooks.apart(action);
                    }
                    try {
                        return method.invoke(kernel, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
