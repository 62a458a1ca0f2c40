// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.RdmaNetlink;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.ToolRun;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Clients and servers in C and in Java, with the same arguments.
public final class CmPrograms {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int ATTEMPTS = 100;
    private static final int PAUSE_MILLIS = 100;
    /// The kernel's state `RDMA_CM_LISTEN` of a connection identifier.
    private static final KernelResource.Detail LISTENING = new KernelResource.Detail("state", 8);

    /// Creates a socket by the C function, which the preloaded library of librdmacm replaces. Python's own call needs
    /// functions that version 44 of this library lacks.
    private static final String PYTHON_SOCKET = """
        import ctypes, socket, sys
        c = ctypes.CDLL(None)
        def of(descriptor):
            return socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=descriptor)
        here = of(c.socket(socket.AF_INET, socket.SOCK_STREAM, 0))
        """;

    private static final String PYTHON_ECHO = PYTHON_SOCKET + """
        here.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        here.bind((sys.argv[1], int(sys.argv[2])))
        here.listen(1)
        peer = of(c.accept(here.fileno(), None, None))
        while True:
            data = peer.recv(4096)
            if not data:
                break
            peer.sendall(data)
        peer.close()
        """;

    private static final String PYTHON_CALL = PYTHON_SOCKET + """
        here.connect((sys.argv[1], int(sys.argv[2])))
        for i in range(50):
            data = bytes([i % 251]) * 1000
            here.sendall(data)
            got = b''
            while len(got) < len(data):
                got += here.recv(len(data) - len(got))
            assert got == data
        here.close()
        print('echoed')
        """;

    private CmPrograms() {}

    /// Waits until a server listens on the port. A client that makes several connections must not start earlier.
    public static void awaitListener(String port) {
        Eventually.until(() -> listens(Integer.parseInt(port)), () -> "nobody listens on port " + port);
    }

    /// Returns whether a server of the connection manager listens on the port.
    public static boolean listens(int port) {
        try (RdmaNetlink netlink = RdmaNetlink.open()) {
            return netlink.devices()
                    .stream()
                    .flatMap(device -> netlink.resources(device.index(), ResourceKind.CONNECTION_ID).stream())
                    .filter(identifier -> identifier.details().contains(LISTENING))
                    .flatMap(identifier -> identifier.addresses().stream())
                    .anyMatch(each -> each.address().getPort() == port);
        }
    }

    /// Starts a server in Java.
    static CompletableFuture<ToolRun> javaServer(String... command) {
        return CompletableFuture.supplyAsync(() -> ToolRun.of(command));
    }

    /// Runs a client in Java, until its server listens.
    static ToolRun javaClient(String... command) throws InterruptedException {
        ToolRun run = ToolRun.of(command);
        for (int i = 0; i < ATTEMPTS && isRefused(run); i++) {
            Thread.sleep(PAUSE_MILLIS);
            run = ToolRun.of(command);
        }
        return run.requireSuccess();
    }

    /// Returns whether nobody listens yet: rxe's peer rejects then, and siw's refuses the TCP connection.
    private static boolean isRefused(ToolRun run) {
        return run.error().contains("has no listener") || run.error().contains("ECONNREFUSED");
    }

    /// Starts a server in C.
    static ExternalProcess.Running cServer(String... command) {
        return ExternalProcess.of(command).start();
    }

    /// Runs a client in C, until its server listens.
    static String cClient(String... command) throws InterruptedException {
        ExternalProcess.Result result = ExternalProcess.of(command).run(LIMIT);
        for (int i = 0; i < ATTEMPTS && result.exitCode() > 0; i++) {
            Thread.sleep(PAUSE_MILLIS);
            result = ExternalProcess.of(command).run(LIMIT);
        }
        return result.requireSuccess().output();
    }

    /// Returns what a server in Java has printed until its end.
    static String output(CompletableFuture<ToolRun> server) throws Exception {
        return server.get(LIMIT.toSeconds(), TimeUnit.SECONDS).requireSuccess().output();
    }

    /// Returns what a server in C has printed until its end.
    static String output(ExternalProcess.Running server) {
        return server.await(LIMIT).requireSuccess().output();
    }

    /// Returns a program in Python over the sockets of librdmacm that accepts one client, and echoes its bytes.
    static ExternalProcess pythonEcho(InetSocketAddress address) {
        return python(PYTHON_ECHO, address);
    }

    /// Returns a program in Python over the sockets of librdmacm that sends 50,000 bytes, and expects them back.
    public static ExternalProcess pythonCall(InetSocketAddress address) {
        return python(PYTHON_CALL, address);
    }

    private static ExternalProcess python(String program, InetSocketAddress address) {
        return ExternalProcess.of("env", "LD_PRELOAD=/usr/$LIB/rsocket/librspreload.so", "/usr/bin/python3", "-c",
                program, address.getHostString(), Integer.toString(address.getPort()));
    }
}
