// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.RdmaNetlink;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.ToolRun;
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
}
