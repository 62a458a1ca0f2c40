// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.abi.memory.LockedMemory;
import io.verbs4j.tools.common.Findings;
import java.util.OptionalLong;

/// Checks the limit of locked memory against the memory to register.
record MemoryCheck(SystemFiles files) {
    private static final String CHECK = "locked memory";

    /// @param wanted required bytes
    void run(long wanted, Findings findings) {
        LockedMemory memory = LockedMemory.parse(
                files.text("proc/self/limits"), files.text("proc/self/status"), files.link("proc/self/ns/user"));
        OptionalLong limit = memory.limit();
        if (memory.privileged()) {
            findings.ok(CHECK, "CAP_IPC_LOCK removes the limit");
        } else if (!memory.known()) {
            findings.note(CHECK, "the limit cannot be read");
        } else if (limit.isEmpty()) {
            findings.ok(CHECK, "unlimited");
        } else if (limit.getAsLong() < wanted) {
            findings.error(
                    CHECK,
                    "this process may lock " + limit.getAsLong() + " bytes, fewer than the required " + wanted
                            + " (--memory)",
                    "raise memlock in /etc/security/limits.conf or LimitMEMLOCK= of the service, then log in again");
        } else {
            findings.ok(CHECK, "this process may lock " + limit.getAsLong() + " bytes; required: " + wanted);
        }
    }
}
