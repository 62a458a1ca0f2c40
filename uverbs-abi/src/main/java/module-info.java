// SPDX-License-Identifier: Apache-2.0
/// The kernel's uverbs ABI: structs, ids and commands, and the system calls that carry them.
@SuppressWarnings("module") // the modules named in qualified exports are compiled later
module io.verbs4j.abi {
    requires static org.jspecify;
    // For programs that record.
    requires static jdk.jfr;

    exports io.verbs4j.abi.btf;
    exports io.verbs4j.abi.catalogue;
    exports io.verbs4j.abi.cm;
    exports io.verbs4j.abi.command;
    exports io.verbs4j.abi.completion;
    exports io.verbs4j.abi.context;
    exports io.verbs4j.abi.datagram;
    exports io.verbs4j.abi.device;
    exports io.verbs4j.abi.discovery;
    exports io.verbs4j.abi.failure;
    exports io.verbs4j.abi.host;
    exports io.verbs4j.abi.memory;
    exports io.verbs4j.abi.queuepair;
    exports io.verbs4j.abi.sharedreceive;
    exports io.verbs4j.abi.uapi;
    exports io.verbs4j.types;
    exports io.verbs4j.abi.jfr to
            io.verbs4j,
            io.verbs4j.sockets;
    exports io.verbs4j.abi.os to
            io.verbs4j,
            io.verbs4j.cm,
            io.verbs4j.mlx5,
            io.verbs4j.rxe,
            io.verbs4j.simulator,
            io.verbs4j.siw,
            io.verbs4j.tools,
            io.verbs4j.tracing;
    exports io.verbs4j.abi.sysfs to
            io.verbs4j.tools,
            io.verbs4j.tracing;

    uses io.verbs4j.abi.cm.CmFileListener;
    uses io.verbs4j.abi.host.HostFactory;
}
