// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.module.ModuleReader;
import java.lang.module.ResolvedModule;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Runs once in the build while the JVM records the archive of loaded classes. It does what commands do at their start,
/// as far as a machine without RDMA devices permits. Classes that would be loaded only for an existing device are
/// loaded by name.
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
        talk();
        for (ResolvedModule module : ModuleLayer.boot().configuration().modules()) {
            if (module.name().startsWith("io.verbs4j")) {
                load(module);
            }
        }
        // Ends like a command: exit() makes the JDK look for a logger.
        System.exit(0);
    }

    /// Exchanges a byte over TCP, as peers exchange their addresses.
    private static void talk() throws IOException {
        try (
                var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var client = new Socket(server.getInetAddress(), server.getLocalPort());
                var accepted = server.accept()) {
            client.getOutputStream().write(1);
            accepted.getInputStream().read();
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
