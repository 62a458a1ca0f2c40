// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.abi.host.KernelRelease;

/// The kernel: its modules, and how its rxe is known to differ from others.
final class KernelChecks {
    private static final String MODULES = "kernel modules";
    private static final String QUIRKS = "kernel";

    private final SystemFiles files;
    private final String release;

    /// @param release as `uname -r` says
    KernelChecks(SystemFiles files, String release) {
        this.files = files;
        this.release = release;
    }

    void run(Findings findings) {
        checkModule("ib_uverbs", "programs cannot reach any RDMA device", findings);
        checkModule("rdma_rxe", "there is no SoftRoCE; other devices may work", findings);
        noteQuirks(findings);
    }

    private void checkModule(String name, String consequence, Findings findings) {
        if (files.hasModule(name)) {
            findings.ok(MODULES, name + " is loaded");
            return;
        }
        if (!files.showsModules()) {
            findings.note(MODULES, "sysfs is hidden, so that it cannot be seen whether " + name + " is loaded");
            return;
        }
        String folder = "lib/modules/" + release;
        boolean mayHaveIt = !files.exists(folder + "/modules.dep")
                || (files.text(folder + "/modules.dep") + files.text(folder + "/modules.builtin"))
                        .contains("/" + name + ".ko");
        String message = name + " is not loaded: " + consequence;
        String remedy = mayHaveIt
                ? "modprobe " + name
                : "kernel " + release + " comes without it; install its package of extra modules (Ubuntu:"
                        + " linux-modules-extra-" + release + ", Fedora: kernel-modules-extra) or another kernel";
        if (name.equals("ib_uverbs")) {
            findings.error(MODULES, message, remedy);
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
            findings.note(QUIRKS, "this rxe has neither flush nor 8-byte atomic write (since 6.2)");
        }
        if (known.isBefore(6, 4)) {
            findings.note(QUIRKS, "this rxe does not change memory regions once they are registered (since 6.4)");
        }
        if (!known.isBefore(6, 12)) {
            findings.note(
                    QUIRKS,
                    "this rxe reports most errors of the local end as flushed work requests",
                    "look at keys, lengths and states yourself when WR_FLUSH_ERR comes without another error");
        }
        findings.note(
                QUIRKS,
                "rxe takes a retry count of 7 as infinite, so that a peer that died is never noticed",
                "use at most 6");
    }
}
