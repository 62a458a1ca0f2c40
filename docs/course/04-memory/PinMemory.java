// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;
import io.verbs4j.types.*;
import java.nio.file.*;

void main() throws Exception {
    try (var _ = Tracing.start(this::show, false);
            var context = Devices.open("rxe0");
            var domain = context.allocateProtectionDomain()) {
        long before = pinnedKilobytes();
        try (var memory = domain.allocate(1 << 20, Access.LOCAL_WRITE, Access.REMOTE_READ)) {
            IO.println("pinned: %d kB more".formatted(pinnedKilobytes() - before));
            memory.segment().setString(0, "seen by the device, too");
            IO.println("a part for our own work requests: " + memory.slice(0, 64).length() + " bytes");
            var remote = memory.remote().slice(0, 64);
            IO.println("a part for a peer: address = 0x%x, rkey = 0x%x, %d bytes".formatted(
                    remote.address(), remote.remoteKey(), remote.length()));
        }
        IO.println("pinned after closing: %d kB more".formatted(pinnedKilobytes() - before));
    }
}

/// Returns the memory of this process that the kernel counts as pinned.
long pinnedKilobytes() throws Exception {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
        return lines.filter(line -> line.startsWith("VmPin:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}

/// Shows the fields of the requests and answers about memory.
void show(TraceEntry entry) {
    if (entry.command().endsWith("REG_MR") || entry.command().endsWith("MR_DESTROY")) {
        IO.println(entry.verb());
        for (TracePart part : entry.parts()) {
            if (part.struct().startsWith("ib_uverbs_reg_mr")) {
                IO.println("  struct " + part.struct());
                for (TraceField field : part.fields()) {
                    IO.println("    +%d %s = %s".formatted(field.offset(), field.path(), field.text()));
                }
            }
        }
    }
}
