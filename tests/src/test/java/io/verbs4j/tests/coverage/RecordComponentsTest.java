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
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Each component of each record has the value that the constructor received. A comparison of two records does not find
/// a component that the constructor drops, because both records lack it.
class RecordComponentsTest {
    /// Numbers for components; constructors with checks accept one of these.
    private static final int[] NUMBERS = {1, 2, 16, 64, 4096};

    private static final Set<String> NOT_CREATED =
            Set.of("io.verbs4j.LocalMemory", "io.verbs4j.cm.stream.StreamOptions", "io.verbs4j.roce.mad.CmMessage");

    @Test
    void haveTheValuesOfTheConstructor() throws ReflectiveOperationException, IOException {
        var wrong = new TreeSet<String>();
        var notCreated = new TreeSet<String>();
        int checked = 0;
        for (Class<? extends Record> record : records()) {
            Created created = create(record, NUMBERS[0]);
            if (created == null) {
                notCreated.add(record.getName());
                continue;
            }
            RecordComponent[] components = record.getRecordComponents();
            for (int i = 0; i < components.length; i++) {
                Object argument = created.arguments[i];
                if (argument == null) {
                    continue;
                }
                var accessor = components[i].getAccessor();
                accessor.setAccessible(true);
                Object value = accessor.invoke(created.record);
                if (!Objects.deepEquals(value, argument)) {
                    wrong.add(record.getName() + "." + components[i].getName() + "=" + value);
                }
                checked++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(notCreated).as("records whose constructors need related arguments").isEqualTo(NOT_CREATED);
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

    /// A record, with the arguments of its constructor.
    private record Created(Record record, @Nullable Object[] arguments) {}

    /// Creates a record whose components have different numbers, if its constructor accepts such numbers, otherwise the
    /// same number. Returns null if the constructor refuses all of them.
    ///
    /// @param first the preferred number of the first component
    private static @Nullable Created create(Class<? extends Record> record, int first)
            throws ReflectiveOperationException {
        for (int step : new int[]{1, 0}) {
            for (int number : IntStream.concat(IntStream.of(first), IntStream.of(NUMBERS)).toArray()) {
                @Nullable Object[] arguments = arguments(record, number, step);
                Record created = create(record, arguments);
                if (created != null) {
                    return new Created(created, arguments);
                }
            }
        }
        return null;
    }

    /// Returns null if the constructor refuses the arguments.
    private static @Nullable Record create(Class<? extends Record> record, @Nullable Object[] arguments)
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

    private static @Nullable Object[] arguments(Class<? extends Record> record, int first, int step)
            throws ReflectiveOperationException {
        RecordComponent[] components = record.getRecordComponents();
        var arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            arguments[i] = value(components[i].getType(), first + i * step);
        }
        return arguments;
    }

    /// Returns a value that differs from the default of its type; null if this test cannot create one.
    private static @Nullable Object value(Class<?> type, int number) throws ReflectiveOperationException {
        if (type.isPrimitive()) {
            return PRIMITIVES.get(type).apply(number);
        }
        if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[constants.length - 1];
        }
        if (type.isArray()) {
            Object element = value(type.getComponentType(), number);
            Object array = Array.newInstance(type.getComponentType(), element == null ? 0 : 1);
            if (element != null) {
                Array.set(array, 0, element);
            }
            return array;
        }
        if (type.isRecord()) {
            Created created = create(type.asSubclass(Record.class), number);
            return created == null ? null : created.record;
        }
        for (IntFunction<?> each : VALUES) {
            Object value = each.apply(number);
            if (type.isInstance(value)) {
                return value;
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

    private static final Map<Class<?>, IntFunction<?>> PRIMITIVES = Map.of(
            boolean.class, _ -> true,
            byte.class, number -> (byte) number,
            short.class, number -> (short) number,
            char.class, number -> (char) number,
            int.class, number -> number,
            long.class, number -> (long) number,
            float.class, number -> (float) number,
            double.class, number -> (double) number);

    private static final List<IntFunction<?>> VALUES = List.of(
            number -> "text" + number,
            number -> number,
            number -> (long) number,
            number -> Path.of("path" + number),
            Duration::ofSeconds,
            _ -> List.of(),
            _ -> Set.of(),
            _ -> new TreeMap<>(),
            _ -> Map.of(),
            number -> Optional.of("text" + number),
            OptionalInt::of,
            OptionalLong::of,
            _ -> InetAddress.getLoopbackAddress(),
            number -> new InetSocketAddress("10.9.0.1", number),
            number -> MemorySegment.ofArray(new byte[64 + number]),
            ByteBuffer::allocate,
            number -> new IllegalStateException("text" + number));
}
