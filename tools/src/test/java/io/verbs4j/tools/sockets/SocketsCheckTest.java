// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.sockets.SocketsAgent;
import io.verbs4j.tools.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/// `verbs sockets check`: start lines, good and bad.
class SocketsCheckTest {
    private static final String EPOLL = "META-INF/native/libnetty_transport_native_epoll_x86_64.so";
    private static final String OF_GRPC =
            "META-INF/native/libio_grpc_netty_shaded_netty_transport_native_epoll_x86_64.so";

    @TempDir Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String agent = "";

    @BeforeEach
    void writeAgent() throws IOException {
        agent = "-javaagent:" + agent("verbs4j.jar", SocketsAgent.class.getName());
    }

    private Path agent(String name, String premain) throws IOException {
        var attributes = new Attributes();
        attributes.putValue("Premain-Class", premain);
        return jar(name, attributes);
    }

    private Path jar(String name, Attributes attributes, String... entries) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putAll(attributes);
        Path file = folder.resolve(name);
        try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            for (String entry : entries) {
                jar.putNextEntry(new JarEntry(entry));
                jar.closeEntry();
            }
        }
        return file;
    }

    private Path jar(String name, String... entries) throws IOException {
        return jar(name, new Attributes(), entries);
    }

    private int check(String... words) {
        var arguments = new ArrayList<>(List.of("sockets", "check"));
        arguments.addAll(List.of(words));
        String[] all = arguments.toArray(String[]::new);
        return Main.commandLine(all)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setColorScheme(Help.defaultColorScheme(Ansi.OFF))
                .execute(all);
    }

    @Test
    void aLineWithTheAgentIsGood() throws IOException {
        Path app = jar("app.jar");
        assertThat(check("java", agent, "--enable-native-access=ALL-UNNAMED", "-Dverbs4j.management=true", "-jar",
                app.toString(), "-cp", "argument")).as(out::toString).isZero();
        assertThat(out.toString())
                .contains("by the agent " + folder, "rules: none", "none found in 1 entries")
                .doesNotContain("error", "warning", "java " + agent);
    }

    @Test
    void aLineWithoutAgentGetsOne() {
        assertThat(check("/usr/bin/java", "-Xmx1g", "-cp", folder.toString(), "org.example.Main", "-javaagent:x"))
                .isEqualTo(4);
        assertThat(out.toString()).contains(
                "error    enabled: all sockets use TCP\n",
                "warning  native access",
                "\n/usr/bin/java -javaagent:verbs4j-bundle-VERSION.jar --enable-native-access=ALL-UNNAMED -Xmx1g -cp");
    }

    @Test
    void anotherAgentIsNotOurs() throws IOException {
        Path other = agent("other.jar", "org.example.Agent");
        assertThat(check("java", "-javaagent:" + other, "-javaagent:/nowhere/x.jar", "Main")).isEqualTo(4);
        assertThat(out.toString()).contains("all sockets use TCP").containsOnlyOnce("cannot read /nowhere/x.jar");
    }

    @Test
    void thePropertyNeedsTheExport() {
        String property = "-Djava.nio.channels.spi.SelectorProvider=io.verbs4j.sockets.RdmaSelectorProvider";
        String access = "--enable-native-access=ALL-UNNAMED";
        assertThat(check("java", property, access, "-cp", folder.toString(), "Main")).isEqualTo(4);
        assertThat(out.toString()).contains("add --add-exports java.base/sun.nio.ch=ALL-UNNAMED");
        assertThat(check("java", property, access, "--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED", "-cp",
                folder.toString(), "Main")).isZero();
        assertThat(check("java", "-Djava.nio.channels.spi.SelectorProvider=org.example.Other", "Main")).isEqualTo(4);
        assertThat(out.toString()).contains("names org.example.Other");
    }

    @Test
    void rulesAreRead() throws IOException {
        Path rules = Files.writeString(folder.resolve("rules"), "rdma connect 10.9.0.0/24 *\n");
        assertThat(check("java", agent + "=" + rules, "Main")).isEqualTo(3);
        assertThat(out.toString()).contains("rules: " + rules + ": 1 rules");
        Files.writeString(rules, "rdma everywhere\n");
        assertThat(check("java", agent, "-Dverbs4j.sockets.rules=" + rules, "Main")).isEqualTo(4);
        assertThat(out.toString()).contains("rules, line 1: 2 words instead of 4");
        assertThat(check("java", agent + "=/nowhere", "Main")).isEqualTo(4);
        assertThat(out.toString()).contains("cannot read /nowhere");
    }

    @Test
    void nativeTransportsMustBeOff() throws IOException {
        jar("netty.jar", EPOLL);
        jar("grpc.jar", OF_GRPC);
        jar("classes.jar", "io/netty/channel/epoll/Epoll.class");
        assertThat(check("java", agent, "-cp", folder + "/*", "Main")).isEqualTo(4);
        assertThat(out.toString()).contains(
                "netty.jar has one, which bypasses Java's channels\n           add -Dio.netty.transport.noNative=true\n",
                "grpc.jar has one", "-Dio.grpc.netty.shaded.io.netty.transport.noNative=true")
                .doesNotContain("classes.jar");
        assertThat(check("java", agent, "-Dio.netty.transport.noNative=true",
                "-Dio.grpc.netty.shaded.io.netty.transport.noNative=true", "-cp", folder + "/*", "Main")).isEqualTo(3);
    }

    @Test
    void nativeTransportsAreFoundWithinJarsAndBehindManifests() throws IOException {
        Path inner = jar("inner.jar", EPOLL);
        jar("shaded.jar", OF_GRPC);
        Attributes attributes = new Attributes();
        attributes.put(Attributes.Name.CLASS_PATH, "shaded.jar missing.jar");
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putAll(attributes);
        Path app = folder.resolve("app.jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(app), manifest)) {
            jar.putNextEntry(new JarEntry("BOOT-INF/lib/inner.jar"));
            Files.copy(inner, jar);
            jar.closeEntry();
        }
        assertThat(check("java", agent, "-jar", app.toString())).isEqualTo(4);
        assertThat(out.toString()).contains(
                "app.jar!BOOT-INF/lib/inner.jar has one", "shaded.jar has one",
                "there is no " + folder + "/missing.jar");
    }

    @Test
    void programsWithASettingOfTheirOwnAreNamed() {
        assertThat(check("java", agent, "org.apache.cassandra.service.CassandraDaemon")).isEqualTo(3);
        assertThat(out.toString()).contains("set -Dcassandra.native.epoll.enabled=false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1M", "0", "-4096", "4097", "4094", "268435458"})
    void theSizeOfARingIsChecked(String size) {
        assertThat(check("java", agent, "-Dverbs4j.sockets.ring=" + size, "Main")).isEqualTo(4);
        assertThat(out.toString()).contains("verbs4j.sockets.ring: " + size + " is not the size of a ring");
    }

    @Test
    void jsonHasFindingsAndTheBetterLine() {
        assertThat(check("--json", "java", agent, "Main")).isEqualTo(3);
        assertThat(out.toString()).contains(
                "\"severity\": \"WARNING\"",
                "\"startLine\": \"java --enable-native-access=ALL-UNNAMED " + agent + " Main\"");
    }

    @Test
    void whatIsNoStartLineIsRefused() {
        assertThat(check()).isEqualTo(2);
        assertThat(check("--pid", "1", "java")).isEqualTo(2);
        assertThat(check("./gradlew", "run")).isEqualTo(1);
        assertThat(err.toString()).contains("the line does not start the java command");
        assertThat(check("java", agent, "-jar", "/nowhere/app.jar")).isEqualTo(1);
        assertThat(err.toString()).contains("cannot read /nowhere/app.jar");
    }

    @Test
    void theLineOfARunningProgramIsRead() {
        assertThat(check("--pid", Long.toString(ProcessHandle.current().pid()))).isEqualTo(4);
        assertThat(out.toString()).contains("all sockets use TCP");
    }
}
