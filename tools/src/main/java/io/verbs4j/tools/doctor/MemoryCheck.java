// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.abi.memory.LockedMemoryLimit;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks that the process may lock as much memory as it wants to register.
final class MemoryCheck {
    private static final String CHECK = "locked memory";
    /// `CAP_IPC_LOCK` (include/uapi/linux/capability.h).
    private static final int MAY_LOCK = 14;
    private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s*([0-9a-f]{1,16})$");

    private final SystemFiles files;

    MemoryCheck(SystemFiles files) {
        this.files = files;
    }

    /// @param wanted bytes
    void run(long wanted, Findings findings) {
        OptionalLong limit = LockedMemoryLimit.bytes(files.text("proc/self/limits"));
        Matcher capabilities = CAPABILITIES.matcher(files.text("proc/self/status"));
        if (capabilities.find() && (Long.parseUnsignedLong(capabilities.group(1), 16) >>> MAY_LOCK & 1) != 0) {
            findings.ok(CHECK, "CAP_IPC_LOCK lifts the limit");
        } else if (limit.isEmpty()) {
            findings.ok(CHECK, "unlimited");
        } else if (limit.getAsLong() < wanted) {
            findings.error(
                    CHECK,
                    "this process may lock " + limit.getAsLong() + " bytes, fewer than the " + wanted
                            + " asked for (--memory)",
                    "raise memlock in /etc/security/limits.conf or LimitMEMLOCK= of the service, then log in again");
        } else {
            findings.ok(CHECK, "this process may lock " + limit.getAsLong() + " bytes, " + wanted + " were asked for");
        }
    }
}
