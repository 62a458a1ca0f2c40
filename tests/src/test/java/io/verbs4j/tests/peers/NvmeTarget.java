// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The kernel's NVMe target with one disk, over RDMA. The kernel keeps the disk's blocks in memory (null_blk).
final class NvmeTarget implements AutoCloseable {
    static final String NAME = "nqn.2026-11.io.verbs4j:disk";
    static final String ADDRESS = "10.9.0.2";
    static final int PORT = 4420;
    static final Path DISK = Path.of("/dev/nullb0");
    static final int BLOCK_BYTES = 4096;

    private static final Path CONFIGURATION = Path.of("/sys/kernel/config");
    private static final Path SUBSYSTEM = CONFIGURATION.resolve("nvmet/subsystems/" + NAME);
    private static final Path NAMESPACE = SUBSYSTEM.resolve("namespaces/1");
    private static final Path LISTENER = CONFIGURATION.resolve("nvmet/ports/1");
    private static final Path LINK = LISTENER.resolve("subsystems/" + NAME);

    private NvmeTarget() {}

    /// Starts the target. Programs of this kernel can write to the disk, too.
    static NvmeTarget start() throws IOException {
        KernelServices.load("null_blk", "nr_devices=1", "memory_backed=1", "gb=1", "bs=" + BLOCK_BYTES);
        KernelServices.load("nvmet-rdma");
        KernelServices.mount("configfs", CONFIGURATION);
        Files.createDirectory(SUBSYSTEM);
        KernelServices.write(SUBSYSTEM.resolve("attr_allow_any_host"), "1");
        Files.createDirectory(NAMESPACE);
        KernelServices.write(NAMESPACE.resolve("device_path"), DISK.toString());
        KernelServices.write(NAMESPACE.resolve("enable"), "1");
        Files.createDirectory(LISTENER);
        KernelServices.write(LISTENER.resolve("addr_trtype"), "rdma");
        KernelServices.write(LISTENER.resolve("addr_adrfam"), "ipv4");
        KernelServices.write(LISTENER.resolve("addr_traddr"), ADDRESS);
        KernelServices.write(LISTENER.resolve("addr_trsvcid"), Integer.toString(PORT));
        Files.createSymbolicLink(LINK, SUBSYSTEM);
        return new NvmeTarget();
    }

    @Override
    public void close() {
        try {
            for (Path part : new Path[]{LINK, LISTENER, NAMESPACE, SUBSYSTEM}) {
                Files.delete(part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
