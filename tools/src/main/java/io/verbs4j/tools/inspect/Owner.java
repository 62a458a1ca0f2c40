// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.inspect;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.tools.common.ProcText;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Holder of an object: a process, or a part of the kernel.
///
/// @param process the process; null if it is the kernel, or has ended
/// @param name the program, or the part of the kernel; `?` if it has ended
public record Owner(@Nullable Integer process, String name) {
    private static final Path PROC = Path.of("/proc");

    /// Returns the owner of a resource. The kernel reports the thread that created it; this finds its process.
    public static Owner of(KernelResource resource) {
        return of(resource, PROC);
    }

    static Owner of(KernelResource resource, Path proc) {
        if (resource.kernelUser().isPresent()) {
            return new Owner(null, "[" + resource.kernelUser().get() + "]");
        }
        if (resource.process().isEmpty()) {
            return new Owner(null, "?");
        }
        int thread = resource.process().getAsInt();
        int process = thread;
        try {
            for (String line : ProcText.read(proc.resolve(thread + "/status")).split("\n", -1)) {
                if (line.startsWith("Tgid:")) {
                    process = Integer.parseInt(line.substring("Tgid:".length()).strip());
                }
            }
            return new Owner(process, ProcText.read(proc.resolve(process + "/comm")).strip());
        } catch (IOException e) {
            return new Owner(process, "?"); // it has ended meanwhile
        }
    }

    /// Returns a text such as `java (pid 123)`.
    @Override
    public String toString() {
        return process == null ? name : name + " (pid " + process + ")";
    }
}
