// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The capabilities and restrictions of a thread, read from `/proc/thread-self`. They confirm or exclude possible
/// causes of an `EPERM`.
///
/// @param known whether the capabilities could be read
/// @param capabilities effective capabilities, one bit each
/// @param filtered whether a seccomp filter checks the thread's system calls, as in most containers
/// @param firstNamespace whether the thread's user namespace is the initial one, or the kernel has no user namespaces
public record Privileges(boolean known, long capabilities, boolean filtered, boolean firstNamespace) {
    private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s*([0-9a-f]{1,16})$");
    private static final Pattern FILTER = Pattern.compile("(?m)^Seccomp:\\s*2$");
    /// The initial user namespace (`PROC_USER_INIT_INO`, include/linux/proc_ns.h).
    private static final String FIRST_NAMESPACE = "user:[4026531837]";
    private static final String FORBIDDEN = "a seccomp filter, such as a container's, forbids the system"
            + " call (--security-opt seccomp=…)";

    /// Capabilities that operations require (include/uapi/linux/capability.h).
    public enum Capability {
        /// Required to change networks and RDMA devices.
        CAP_NET_ADMIN(12),
        /// Required to open packet sockets.
        CAP_NET_RAW(13),
        /// Removes the limit of locked memory.
        CAP_IPC_LOCK(14);

        private final int number;

        Capability(int number) {
            this.number = number;
        }
    }

    /// Reads the privileges of the calling thread.
    static Privileges ofThisThread() {
        try {
            Path own = Path.of("/proc/thread-self");
            return parse(
                    Files.readString(own.resolve("status"), StandardCharsets.ISO_8859_1),
                    Files.readSymbolicLink(own.resolve("ns/user")).toString());
        } catch (IOException e) {
            return new Privileges(false, 0, false, true);
        }
    }

    /// Parses the kernel's report on a thread.
    ///
    /// @param status contents of `/proc/PID/status`; empty if it cannot be read
    /// @param userNamespace target of the link `/proc/PID/ns/user`; empty if it cannot be read, or the kernel has no
    ///     user namespaces
    public static Privileges parse(String status, String userNamespace) {
        Matcher found = CAPABILITIES.matcher(status);
        boolean known = found.find();
        return new Privileges(
                known,
                known ? Long.parseUnsignedLong(found.group(1), 16) : 0,
                FILTER.matcher(status).find(),
                userNamespace.isEmpty() || userNamespace.equals(FIRST_NAMESPACE));
    }

    private boolean has(Capability capability) {
        return (capabilities >>> capability.number & 1) != 0;
    }

    /// Returns whether the thread has a capability for the whole machine. A capability within another user namespace
    /// does not count.
    public boolean hasOverMachine(Capability capability) {
        return firstNamespace && has(capability);
    }

    /// Explains the `EPERM` of an operation that needs a capability.
    ///
    /// @param otherwise the cause if the thread has the capability and no filter forbids the call; empty if there is
    ///     none
    String explainLackOf(Capability capability, String otherwise) {
        String need = "it needs " + capability;
        if (!known) {
            return "possibly " + need + " (run it as root, outside of user namespaces)"
                    + (otherwise.isEmpty() ? "" : ", or " + otherwise);
        }
        if (!has(capability)) {
            return need + " (run it as root, outside of user namespaces)";
        }
        if (!firstNamespace) {
            return need + " outside of user namespaces";
        }
        if (filtered) {
            return "possible causes: " + FORBIDDEN + (otherwise.isEmpty() ? "" : "; " + otherwise);
        }
        return otherwise.isEmpty() ? "the process is privileged, but a security module forbids the call" : otherwise;
    }

    /// Adds to a cause of `EPERM` or `ENOSYS` that a filter may forbid the call.
    ///
    /// @param cause may be empty
    String withFilter(String cause) {
        if (!filtered) {
            return cause;
        }
        return cause.isEmpty() ? "possibly " + FORBIDDEN : "possible causes: " + cause + "; " + FORBIDDEN;
    }
}
