// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.host.HostFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.module.ModuleReader;
import java.lang.module.ResolvedModule;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;

/// Runs once in the build while the JVM records the archive of loaded classes. It does what commands do at their start,
/// on this machine and on simulated devices. Classes that only a real device needs are loaded by name.
public final class AotTraining {
    private static final String CLASS_FILE = ".class";

    private AotTraining() {}

    /// Takes no arguments.
    ///
    /// @throws IOException if a module, or the loopback interface, cannot be read
    public static void main(String... arguments) throws IOException {
        var nowhere = new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        for (String command : List.of("devices", "rc-pingpong --help", "link list")) {
            Main.run(nowhere, nowhere, command.split(" "));
        }
        Host simulated = ServiceLoader.load(HostFactory.class).findFirst().orElseThrow().host("2");
        try (var _ = Host.replaceCurrent(simulated)) {
            pingPong(nowhere, "");
            pingPong(nowhere, " -e");
        }
        for (ResolvedModule module : ModuleLayer.boot().configuration().modules()) {
            if (module.name().startsWith("io.verbs4j")) {
                load(module);
            }
        }
        // Ends like a command: exit() makes the JDK look for a logger.
        System.exit(0);
    }

    /// Runs both ends of a ping-pong on simulated devices.
    private static void pingPong(PrintWriter nowhere, String options) throws IOException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String common = "rc-pingpong -g 1 -n 20 -p " + port + options + " -d rxe";
        Thread server = Thread.ofPlatform().daemon().start(() -> Main.run(nowhere, nowhere, (common + 0).split(" ")));
        while (Main.run(nowhere, nowhere, (common + "1 127.0.0.1").split(" ")) != 0 && server.isAlive()) {
            Thread.onSpinWait(); // the server does not listen yet
        }
    }

    private static void load(ResolvedModule module) throws IOException {
        try (
                ModuleReader reader = module.reference().open();
                var files = reader.list()) {
            files.filter(file -> file.endsWith(CLASS_FILE) && !file.equals("module-info.class"))
                    .map(file -> file.substring(0, file.length() - CLASS_FILE.length()).replace('/', '.'))
                    .forEach(AotTraining::load);
        }
    }

    private static void load(String name) {
        try {
            Class.forName(name);
        } catch (ClassNotFoundException | LinkageError e) {
            // The class needs a module that only some commands load, such as the one for packets.
        }
    }
}
