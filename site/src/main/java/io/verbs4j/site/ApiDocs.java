// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/// Javadoc of the modules that users and providers see. The tool is called directly: the Maven plugin reads
/// `module-info` with the Java that runs Maven, which may be too old for it.
final class ApiDocs {
    private static final Map<String, String> MODULES = new LinkedHashMap<>();

    static {
        MODULES.put("io.verbs4j", "verbs");
        MODULES.put("io.verbs4j.cm", "rdma-cm");
        MODULES.put("io.verbs4j.async", "async");
        MODULES.put("io.verbs4j.sockets", "sockets");
        MODULES.put("io.verbs4j.valkey", "valkey");
        MODULES.put("io.verbs4j.tracing", "tracing");
        MODULES.put("io.verbs4j.micrometer", "micrometer");
        MODULES.put("io.verbs4j.simulator", "simulator");
        MODULES.put("io.verbs4j.simulator.junit", "simulator-junit");
        MODULES.put("io.verbs4j.roce", "roce");
        MODULES.put("io.verbs4j.spi", "provider-api");
        MODULES.put("io.verbs4j.abi", "uverbs-abi");
    }

    /// Modules that the documented ones require.
    private static final Map<String, String> REQUIRED = Map.of("io.verbs4j.rxe", "provider-rxe");

    private ApiDocs() {}

    /// Returns the modules that it documents.
    static Set<String> documented() {
        return Set.copyOf(MODULES.keySet());
    }

    static void write(Path repository, Path folder) {
        ToolProvider javadoc = ToolProvider.findFirst("javadoc")
                .orElseThrow(() -> new IllegalStateException("this Java has no javadoc: it is no JDK"));
        var arguments = new ArrayList<String>(List.of(
                "-quiet",
                "-d",
                folder.toString(),
                "--module",
                String.join(",", MODULES.keySet()),
                "-Xdoclint:all,-missing",
                "-Werror",
                "--no-platform-links",
                "-notimestamp",
                "-windowtitle",
                "verbs4j",
                "-doctitle",
                "verbs4j",
                "-header",
                "<a href=\"{@docRoot}/../index.html\" style=\"color: #fff; font-size: 15px\">← verbs4j</a>",
                "--module-path",
                modulePath()));
        var sources = new LinkedHashMap<>(MODULES);
        sources.putAll(REQUIRED);
        sources.forEach((module, source) -> {
            arguments.add("--module-source-path");
            arguments.add(module + "=" + repository.resolve(source).resolve("src/main/java"));
        });
        int code = javadoc.run(System.out, System.err, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException("javadoc failed with code " + code);
        }
    }

    /// The module of each package, from what Javadoc wrote: `element-list` names packages below their module.
    static Map<String, String> modules(Path folder) throws IOException {
        var modules = new HashMap<String, String>();
        String module = "";
        for (String line : Files.readAllLines(folder.resolve("element-list"))) {
            if (line.startsWith("module:")) {
                module = line.substring("module:".length());
            } else {
                modules.put(line, module);
            }
        }
        return modules;
    }

    /// Returns the jars that the modules are compiled with.
    private static String modulePath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(jar -> jar.endsWith(".jar") && !Path.of(jar).getFileName().toString().startsWith("verbs4j-"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
