// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.sockets;

import io.verbs4j.abi.memory.LockedMemory;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.management.Management;
import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.sockets.SocketsAgent;
import io.verbs4j.tools.common.Findings;
import io.verbs4j.tools.common.IoFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// Checks whether a start line makes its program use RDMA.
final class StartLineCheck {
    private static final String ENABLED = "enabled";
    private static final String AGENT = "-javaagent:";
    private static final String PROVIDER = "java.nio.channels.spi.SelectorProvider";
    private static final String RULES = "verbs4j.sockets.rules";
    private static final String RING = "verbs4j.sockets.ring";
    private static final int DEFAULT_RING = 1 << 20;
    private static final String EXPORTS = "java.base/sun.nio.ch=ALL-UNNAMED";
    private static final String NATIVE_ACCESS = "--enable-native-access";
    private static final String ALL_UNNAMED = "ALL-UNNAMED";
    private static final String BUNDLE = "verbs4j-bundle-VERSION.jar";

    /// Programs that choose a native transport by a setting of their own.
    private static final Map<String, String> PROGRAMS = Map.of(
            "org.apache.cassandra.service.CassandraDaemon", "set -Dcassandra.native.epoll.enabled=false",
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
            "set taskmanager.network.netty.transport: nio in its configuration",
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
            "set taskmanager.network.netty.transport: nio in its configuration");

    private final StartLine line;
    private final Findings findings;
    private final List<String> missing = new ArrayList<>();

    StartLineCheck(StartLine line, Findings findings) {
        this.line = line;
        this.findings = findings;
    }

    /// Runs all checks.
    ///
    /// @param memory the limit of the memory that the program may lock
    /// @return options that the line lacks
    List<String> run(LockedMemory memory) {
        checkEnabled();
        checkNativeAccess();
        checkTransports();
        checkMemory(memory);
        checkManagement();
        return List.copyOf(missing);
    }

    private void checkEnabled() {
        String provider = line.property(PROVIDER);
        String agent = agent();
        if (agent != null) {
            findings.ok(ENABLED, "by the agent " + agent + ", for channels and for sockets of java.net");
        } else if (RdmaSelectorProvider.class.getName().equals(provider)) {
            findings.ok(ENABLED, "by the property " + PROVIDER + ", for channels; sockets of java.net use TCP");
            checkExports();
        } else if (provider != null) {
            findings.error(ENABLED, PROVIDER + " names " + provider, "remove it, and add " + AGENT + BUNDLE);
        } else {
            missing.add(AGENT + BUNDLE);
            findings.error(ENABLED, "all sockets use TCP", "add " + AGENT + BUNDLE);
        }
        checkRules(agent);
    }

    private void checkExports() {
        if (!line.hasValue("--add-exports", EXPORTS)) {
            missing.add("--add-exports=" + EXPORTS);
            findings.error(
                    "the JDK's provider", "pipes, datagram channels and TCP are out of reach",
                    "add --add-exports " + EXPORTS);
        }
    }

    /// Returns the agent with its rules; null if there is none of verbs4j.
    private @Nullable String agent() {
        for (String option : line.options()) {
            if (option.startsWith(AGENT)) {
                String agent = option.substring(AGENT.length());
                Path jar = line.file(agent.replaceFirst("=.*", ""));
                if (SocketsAgent.class.getName().equals(premain(jar))) {
                    return agent;
                }
            }
        }
        return null;
    }

    private @Nullable String premain(Path jar) {
        try (var file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            return manifest == null ? null : manifest.getMainAttributes().getValue("Premain-Class");
        } catch (IOException e) {
            findings.error("agent", "cannot read " + jar + ": " + IoFailure.reason(e),
                    "check the path behind -javaagent:");
            return null;
        }
    }

    private void checkRules(@Nullable String agent) {
        String name = agent != null && agent.contains("=") ? agent.substring(agent.indexOf('=') + 1)
                : line.property(RULES);
        if (name == null || name.isEmpty()) {
            findings.ok("rules", "none: loopback uses TCP, everything else RDMA where that is possible");
            return;
        }
        Path file = line.file(name);
        try {
            findings.ok("rules", file + ": " + SocketRules.read(file));
        } catch (IOException e) {
            findings.error("rules", "cannot read " + file + ": " + IoFailure.reason(e), "check the path");
        } catch (IllegalArgumentException e) {
            findings.error("rules", String.valueOf(e.getMessage()), "correct the line");
        }
    }

    private void checkNativeAccess() {
        if (line.hasValue(NATIVE_ACCESS, ALL_UNNAMED)) {
            findings.ok("native access", "enabled");
        } else {
            missing.add(NATIVE_ACCESS + "=" + ALL_UNNAMED);
            findings.warning("native access", "the JDK prints a warning", "add " + NATIVE_ACCESS + "=" + ALL_UNNAMED);
        }
    }

    private void checkTransports() {
        for (Path entry : line.classPath()) {
            if (!Files.exists(entry)) {
                findings.note("class path", "there is no " + entry, "it was not searched for native transports");
            }
        }
        Map<String, String> transports = NativeTransports.find(line.classPath());
        transports.forEach((property, file) -> {
            if ("true".equals(line.property(property))) {
                findings.ok("native transport", file + " has one, which -D" + property + "=true switches off");
            } else {
                missing.add("-D" + property + "=true");
                findings.error(
                        "native transport", file + " has one, which bypasses Java's channels",
                        "add -D" + property + "=true");
            }
        });
        String remedy = PROGRAMS.get(line.mainClass());
        if (remedy != null) {
            findings.warning("native transport", line.mainClass() + " may choose one by a setting of its own", remedy);
        } else if (transports.isEmpty()) {
            findings.ok("native transport", "none found in " + line.classPath().size() + " entries of the class path");
        }
    }

    private void checkMemory(LockedMemory memory) {
        String text = line.property(RING);
        int ring = text == null ? DEFAULT_RING : ringBytes(text);
        if (ring == 0) {
            findings.error(RING, text + " is not the size of a ring",
                    "set an even number of bytes from " + StreamOptions.MIN_BYTES + " to " + StreamOptions.MAX_BYTES);
            return;
        }
        if (memory.privileged() || memory.limit().isEmpty()) {
            findings.ok("locked memory", "no limit");
            return;
        }
        long limit = memory.limit().getAsLong();
        long connections = limit / (2L * ring);
        String message = limit + " bytes, for " + connections + " connections with rings of " + ring + " bytes";
        if (connections == 0) {
            findings.error("locked memory", message, "raise ulimit -l, or set -D" + RING + "=BYTES");
        } else {
            findings.note("locked memory", message, "further ones use TCP where the rules allow that");
        }
    }

    /// Returns the size of a ring; 0 if a ring cannot have it.
    private static int ringBytes(String text) {
        try {
            int bytes = Integer.decode(text);
            StreamOptions.defaults().withBuffers(bytes, bytes); // as sockets do
            return bytes;
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    private void checkManagement() {
        if (!"true".equals(line.property(Management.PROPERTY))) {
            findings.note(
                    "management", "off: 'verbs sockets list' cannot show the connections",
                    "add -D" + Management.PROPERTY + "=true");
        }
    }
}
