// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import io.verbs4j.abi.failure.Rollback;
import java.nio.file.Path;

/// The kernel's NFS server, which exports a folder to clients of the same machine, over RDMA.
final class NfsServer implements AutoCloseable {
    static final String ADDRESS = "10.9.0.2";

    private static final Path CONTROL = Path.of("/proc/fs/nfsd");
    private static final Path CACHES = Path.of("/proc/net/rpc");
    private static final String NEVER = "2147483647";
    /// Flags of the kernel (`NFSEXP_…`): read-only, root has no rights, no check of the folders above a file, root of
    /// NFS version 4.
    private static final int READONLY = 0x1;
    private static final int ROOTSQUASH = 0x4;
    private static final int NOSUBTREECHECK = 0x400;
    private static final int FSID = 0x2000;
    private static final int FLAGS = READONLY | ROOTSQUASH | NOSUBTREECHECK | FSID;

    private final Rollback stop;

    private NfsServer(Rollback stop) {
        this.stop = stop;
    }

    /// Starts the server. Needs no programs of nfs-utils: the kernel usually asks `rpc.mountd` for clients and exports,
    /// but accepts answers to questions that it has not asked yet.
    ///
    /// @param folder an empty folder
    static NfsServer start(Path folder) {
        KernelServices.load("nfsd");
        KernelServices.load("rpcrdma");
        KernelServices.mount("nfsd", CONTROL);
        var stop = new Rollback();
        try (var incomplete = new Rollback()) {
            incomplete.add(stop::close);
            KernelServices.mount("tmpfs", folder); // the kernel refuses to export the lab's root file system
            stop.add(() -> KernelServices.unmount(folder));
            answer(stop, "auth.unix.ip", "nfsd " + ADDRESS + " " + NEVER + " lab"); // also the address of the client
            answer(stop, "nfsd.export", "lab " + folder + " " + NEVER + " " + FLAGS + " 65534 65534 0");
            answer(stop, "nfsd.fh", "lab 1 \\x00000000 " + NEVER + " " + folder);
            stop.add(() -> KernelServices.write(CONTROL.resolve("threads"), "0"));
            KernelServices.write(CONTROL.resolve("versions"), "-3 +4"); // version 3 needs rpcbind
            KernelServices.write(CONTROL.resolve("portlist"), "rdma 20049");
            KernelServices.write(CONTROL.resolve("threads"), "2");
            incomplete.keep();
        }
        return new NfsServer(stop);
    }

    private static void answer(Rollback stop, String cache, String line) {
        KernelServices.write(CACHES.resolve(cache).resolve("channel"), line);
        stop.add(() -> KernelServices.write(CACHES.resolve(cache).resolve("flush"), "1"));
    }

    @Override
    public void close() {
        stop.close();
    }
}
