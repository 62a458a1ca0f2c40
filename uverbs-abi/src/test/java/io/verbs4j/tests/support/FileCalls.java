// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.device.DeviceFile;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Routes the calls of a device's file through a test, which forwards them, answers them itself, or does additional
/// work.
public final class FileCalls {
    private static final Set<String> COMMANDS = Set.of("ioctl", "write");

    private FileCalls() {}

    /// A call of the file.
    ///
    /// @param file the underlying file
    /// @param method a method of [DeviceFile]
    /// @param arguments the arguments; null if there are none
    public record Call(DeviceFile file, Method method, Object @Nullable [] arguments) {
        /// Returns the name of the method.
        public String name() {
            return method.getName();
        }

        /// Returns whether it brings the kernel a command.
        public boolean isCommand() {
            return COMMANDS.contains(name());
        }

        /// Returns the first argument: of a command its bytes, of `unmap` the ring.
        public MemorySegment memory() {
            if (arguments == null) {
                throw new IllegalStateException(name() + " has no arguments");
            }
            return (MemorySegment) arguments[0];
        }

        /// Forwards the call.
        ///
        /// @throws Throwable the file's exception
        public Object pass() throws Throwable {
            return Forwarding.pass(file, method, arguments);
        }
    }

    /// Answers calls.
    @FunctionalInterface
    public interface Taker {
        /// Returns the answer.
        ///
        /// @throws Throwable exception for the caller
        Object take(Call call) throws Throwable;
    }

    /// Returns a file whose calls go through a test.
    public static DeviceFile of(DeviceFile file, Taker taker) {
        return Forwarding.of(
                DeviceFile.class, (_, method, arguments) -> taker.take(new Call(file, method, arguments)));
    }

    /// Returns a file that takes one call at a time, for a device that is made for one thread.
    public static DeviceFile oneAtATime(DeviceFile file) {
        return of(file, call -> {
            synchronized (file) {
                return call.pass();
            }
        });
    }
}
