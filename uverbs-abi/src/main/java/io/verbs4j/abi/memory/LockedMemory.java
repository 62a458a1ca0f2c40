// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import io.verbs4j.abi.failure.Privileges;
import io.verbs4j.abi.failure.Privileges.Capability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A process's limit of locked memory, and its use, as the kernel counts them when memory is registered (`ib_umem_get`,
/// drivers/infiniband/core/umem.c). It compares the pinned pages (`VmPin`; pages locked by `mlock` are counted
/// separately) with `RLIMIT_MEMLOCK`. `CAP_IPC_LOCK` lifts the limit, unless a user namespace granted it.
///
/// @param known whether the limit could be read
/// @param limit bytes that may be pinned; empty if there is no limit, or it is unknown
/// @param hardLimit the maximum to which the process may raise the limit, as in `/proc/PID/limits`: a number or
///     `unlimited`
/// @param privileged whether `CAP_IPC_LOCK` lifts the limit
/// @param pinned bytes that are pinned
public record LockedMemory(boolean known, OptionalLong limit, String hardLimit, boolean privileged, long pinned) {
    private static final Pattern LIMIT =
            Pattern.compile("(?m)^Max locked memory\\s+(\\d+|unlimited)\\s+(\\d+|unlimited)");
    /// Maximum number of digits that always fit a `long`. A limit with more digits counts as no limit.
    private static final int MAX_DIGITS = 18;

    private static final Pattern PINNED = Pattern.compile("(?m)^VmPin:\\s*(\\d{1,15}) kB$");

    /// Reads the kernel's report on this process, and on the capabilities of the calling thread.
    public static LockedMemory ofThisProcess() {
        return ofProcess(Path.of("/proc/thread-self"));
    }

    /// Reads the kernel's report on a process.
    ///
    /// @param process its folder in `/proc`
    public static LockedMemory ofProcess(Path process) {
        String namespace;
        try {
            namespace = Files.readSymbolicLink(process.resolve("ns/user")).toString();
        } catch (IOException e) {
            namespace = "";
        }
        return parse(text(process.resolve("limits")), text(process.resolve("status")), namespace);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /// Parses the kernel's report on a process.
    ///
    /// @param limits contents of `/proc/PID/limits`; empty if it cannot be read
    /// @param status contents of `/proc/PID/status`; empty if it cannot be read
    /// @param userNamespace target of `/proc/PID/ns/user`; empty if it cannot be read, or the kernel has no such
    ///     namespaces
    public static LockedMemory parse(String limits, String status, String userNamespace) {
        Matcher line = LIMIT.matcher(limits);
        boolean known = line.find();
        OptionalLong limit = known && !line.group(1).equals("unlimited") && line.group(1).length() <= MAX_DIGITS
                ? OptionalLong.of(Long.parseLong(line.group(1)))
                : OptionalLong.empty();
        Matcher pinned = PINNED.matcher(status);
        return new LockedMemory(
                known,
                limit,
                known ? line.group(2) : "",
                Privileges.parse(status, userNamespace).hasOverMachine(Capability.CAP_IPC_LOCK),
                pinned.find() ? Long.parseLong(pinned.group(1)) << 10 : 0);
    }

    /// Returns whether pinning more bytes would exceed the limit.
    ///
    /// @param bytes number of additional bytes, in whole pages
    public boolean refuses(long bytes) {
        return !privileged && limit.isPresent() && bytes > limit.getAsLong() - pinned;
    }

    /// Returns the reason why a refused registration cannot have failed because of this limit; empty if it may have.
    String exclusion() {
        if (privileged) {
            return "CAP_IPC_LOCK lifts the limit of locked memory";
        }
        if (!known) {
            return "";
        }
        return "the process may lock " + (limit.isEmpty() ? "an unlimited amount"
                : limit.getAsLong() + " bytes together, of which " + pinned + " are in use");
    }
}
