// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Each component of each record has the value that the constructor received. A comparison of two records does not find
/// a component that the constructor drops, because both records lack it.
class RecordComponentsTest {
    /// Numbers for components; constructors with checks accept one of these.
    private static final int[] NUMBERS = {1, 2, 16, 64, 4096};

    private static final Set<String> UNMADE =
            Set.of("io.verbs4j.LocalMemory", "io.verbs4j.cm.stream.StreamOptions", "io.verbs4j.roce.mad.CmMessage");

    @Test
    void haveTheValuesOfTheConstructor() throws ReflectiveOperationException, IOException {
        var wrong = new TreeSet<String>();
        var unmade = new TreeSet<String>();
        int checked = 0;
        for (Class<? extends Record> record : records()) {
            @Nullable Object[] arguments = {};
            @Nullable Record made = null;
            for (int i = 0; i < NUMBERS.length && made == null; i++) {
                arguments = arguments(record, NUMBERS[i]);
                made = make(record, arguments);
            }
            if (made == null) {
                unmade.add(record.getName());
                continue;
            }
            RecordComponent[] components = record.getRecordComponents();
            for (int i = 0; i < components.length; i++) {
                if (arguments[i] == null) {
                    continue;
                }
                var accessor = components[i].getAccessor();
                accessor.setAccessible(true);
                Object value = accessor.invoke(made);
                if (!Objects.deepEquals(value, arguments[i])) {
                    wrong.add(record.getName() + "." + components[i].getName() + "=" + value);
                }
                checked++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(unmade).as("records whose constructors need related arguments").isEqualTo(UNMADE);
        assertThat(checked).isGreaterThan(800);
    }

    /// Returns the records of all modules.
    private static List<Class<? extends Record>> records() throws IOException, ClassNotFoundException {
        var records = new ArrayList<Class<? extends Record>>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (entry.endsWith("classes") && !entry.endsWith("test-classes") && Files.isDirectory(path)) {
                addRecords(path, records);
            } else if (path.getFileName().toString().matches("verbs4j-.*(?<!-tests)\\.jar")) {
                try (FileSystem jar = FileSystems.newFileSystem(path)) {
                    addRecords(jar.getPath("/"), records);
                }
            }
        }
        return records;
    }

    private static void addRecords(Path root, List<Class<? extends Record>> records)
            throws IOException, ClassNotFoundException {
        try (Stream<Path> files = Files.walk(root.resolve("io/verbs4j"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".class")).toList()) {
                if (!new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("java/lang/Record")) {
                    continue; // without loading the class
                }
                String name = root.relativize(file).toString().replace(".class", "").replace('/', '.');
                Class<?> type = Class.forName(name, false, RecordComponentsTest.class.getClassLoader());
                if (type.isRecord()) {
                    records.add(type.asSubclass(Record.class));
                }
            }
        }
    }

    /// Returns null if the constructor refuses the arguments.
    private static @Nullable Record make(Class<? extends Record> record, @Nullable Object[] arguments)
            throws ReflectiveOperationException {
        Constructor<? extends Record> constructor = record.getDeclaredConstructor(
                Arrays.stream(record.getRecordComponents()).map(RecordComponent::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            return null;
        }
    }

    private static @Nullable Object[] arguments(Class<? extends Record> record, int number)
            throws ReflectiveOperationException {
        RecordComponent[] components = record.getRecordComponents();
        var arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            arguments[i] = value(components[i].getType(), number);
        }
        return arguments;
    }

    /// Returns a value that differs from the default of its type; null if this test cannot make one.
    private static @Nullable Object value(Class<?> type, int number) throws ReflectiveOperationException {
        if (type.isPrimitive()) {
            return type == boolean.class ? Boolean.TRUE
                    : type == long.class ? (Object) (long) number
                            : type == double.class ? (Object) (double) number
                                    : type == byte.class ? (Object) (byte) number
                                            : type == short.class ? (Object) (short) number
                                                    : type == char.class ? (Object) (char) number
                                                            : (Object) number;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (type.isRecord()) {
            Class<? extends Record> record = type.asSubclass(Record.class);
            return make(record, arguments(record, number));
        }
        for (Object each : VALUES) {
            if (type.isInstance(each)) {
                return each;
            }
        }
        if (type.isSealed()) {
            return value(type.getPermittedSubclasses()[0], number);
        }
        return type.isInterface() && !Collection.class.isAssignableFrom(type)
                ? Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                        (proxy, method, parameters) -> method.getName().equals("equals") ? proxy == parameters[0]
                                : method.getName().equals("hashCode") ? 1
                                        : method.getName().equals("toString") ? "a proxy"
                                                : null)
                : null;
    }

    private static final List<Object> VALUES = List.of(
            "text", 1, 1L, Path.of("path"), Duration.ofSeconds(1), List.of(), Set.of(), new TreeMap<>(), Map.of(),
            Optional.of("text"), OptionalInt.of(1), OptionalLong.of(1), InetAddress.getLoopbackAddress(),
            new InetSocketAddress("10.9.0.1", 1), MemorySegment.ofArray(new byte[64]), ByteBuffer.allocate(1),
            new IllegalStateException("text"));
}
