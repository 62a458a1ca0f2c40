// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.sockets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/// Native transports in a class path. They use no channel of Java, so that no provider of channels sees their
/// connections.
///
/// Netty's needs a native library in a jar. A relocated copy of Netty carries its package in the library's name.
final class NativeTransports {
    private static final String PROPERTY = "io.netty.transport.noNative";
    private static final Pattern LIBRARY = Pattern.compile(
            "META-INF/native/lib(\\w*?)netty_transport_native_(?:epoll|io_uring\\d*)_\\w+\\.so");

    private final Map<String, String> found = new TreeMap<>();

    private NativeTransports() {}

    /// Searches a class path.
    ///
    /// @return the property that switches each transport off, and the file that contains the transport
    static Map<String, String> find(List<Path> classPath) {
        var search = new NativeTransports();
        classPath.forEach(search::search);
        return search.found;
    }

    private void search(Path path) {
        String name = String.valueOf(path.getFileName());
        try {
            if (Files.isDirectory(path)) {
                searchFolder(path, name);
            } else if (Files.isRegularFile(path)) {
                searchJar(path, name);
            }
        } catch (IOException e) {
            // The virtual machine ignores what it cannot read, too.
        }
    }

    private void searchFolder(Path folder, String name) throws IOException {
        Path libraries = folder.resolve("META-INF/native");
        if (Files.isDirectory(libraries)) {
            try (Stream<Path> files = Files.list(libraries)) {
                files.forEach(file -> examine("META-INF/native/" + file.getFileName(), name));
            }
        }
    }

    private void searchJar(Path path, String name) throws IOException {
        try (var jar = new ZipFile(path.toFile())) {
            for (ZipEntry entry : (Iterable<ZipEntry>) jar.stream().map(ZipEntry.class::cast)::iterator) {
                examine(entry.getName(), name);
                if (entry.getName().endsWith(".jar")) {
                    try (var inside = new ZipInputStream(jar.getInputStream(entry))) {
                        searchInside(inside, name + "!" + entry.getName());
                    }
                }
            }
        }
    }

    /// Searches a jar within a jar, as Spring Boot packs them.
    private void searchInside(ZipInputStream jar, String name) throws IOException {
        for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
            examine(entry.getName(), name);
        }
    }

    private void examine(String entry, String container) {
        Matcher library = LIBRARY.matcher(entry);
        if (library.matches()) {
            found.putIfAbsent(library.group(1).replace('_', '.') + PROPERTY, container);
        }
    }
}
