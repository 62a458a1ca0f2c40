// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.abi.host.KernelRelease;
import io.verbs4j.tools.common.Findings;

/// Checks the kernel's modules, and reports known quirks of its rxe.
///
/// @param release the release as in `uname -r`
record KernelChecks(SystemFiles files, String release) {
    private static final String MODULES = "kernel modules";
    private static final String QUIRKS = "kernel";

    void run(Findings findings) {
        checkModule("ib_uverbs", "programs cannot reach any RDMA device", findings);
        checkModule("rdma_rxe", "SoftRoCE is not available; other devices may work", findings);
        noteQuirks(findings);
    }

    private void checkModule(String name, String consequence, Findings findings) {
        if (files.hasModule(name)) {
            findings.ok(MODULES, name + " is loaded");
            return;
        }
        if (!files.showsModules()) {
            findings.note(MODULES, "sysfs is hidden, so the check cannot detect whether " + name + " is loaded");
            return;
        }
        String folder = "lib/modules/" + release;
        boolean mayHaveIt = !files.exists(folder + "/modules.dep")
                || (files.text(folder + "/modules.dep") + files.text(folder + "/modules.builtin"))
                        .contains("/" + name + ".ko");
        String message = name + " is not loaded: " + consequence;
        String remedy = mayHaveIt
                ? "modprobe " + name
                : "kernel " + release + " lacks the module; install its package of extra modules (Ubuntu:"
                        + " linux-modules-extra-" + release + ", Fedora: kernel-modules-extra) or another kernel";
        if (name.equals("ib_uverbs")) {
            findings.error(MODULES, message, remedy);
        } else if (files.hasDevices()) {
            findings.note(MODULES, message, remedy);
        } else {
            findings.warning(MODULES, message, remedy);
        }
    }

    private void noteQuirks(Findings findings) {
        findings.ok(QUIRKS, "Linux " + release);
        if (!files.hasModule("rdma_rxe")) {
            return;
        }
        var known = KernelRelease.parse(release);
        if (known.isBefore(6, 2)) {
            findings.note(QUIRKS, "this rxe lacks flush and 8-byte atomic write (available since 6.2)");
        }
        if (known.isBefore(6, 4)) {
            findings.note(QUIRKS, "this rxe cannot re-register memory regions (available since 6.4)");
        }
        if (!known.isBefore(6, 12)) {
            findings.note(
                    QUIRKS,
                    "this rxe reports most local errors as flushed work requests",
                    "check keys, lengths and states if WR_FLUSH_ERR arrives without another error");
        }
        findings.note(
                QUIRKS,
                "rxe treats a retry count of 7 as unlimited, so a dead peer is never detected",
                "use at most 6");
    }
}
