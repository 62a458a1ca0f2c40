// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests where defects can be placed, and how the code changes.
class PlaceTest {
    /// A class with few places.
    static final class Smaller implements IntBinaryOperator {
        @Override
        public int applyAsInt(int left, int right) {
            return left < right ? left : right;
        }
    }

    private static final class Changed extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    private static byte[] bytes(String type) throws IOException {
        try (InputStream file = PlaceTest.class.getClassLoader().getResourceAsStream(type + ".class")) {
            return Objects.requireNonNull(file).readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io/verbs4j/VerbsObject", "io/verbs4j/abi/command/IoctlCommand", "io/verbs4j/rxe/SendRing"})
    void codeWithADefectCanStillBeLoaded(String type) throws IOException {
        byte[] bytes = bytes(type);
        List<Place> places = Place.of(bytes);
        assertThat(places).hasSizeGreaterThan(50);
        for (Place place : places) {
            byte[] changed = place.apply(bytes);
            assertThat(changed).as(place.text()).isNotEqualTo(bytes);
            assertThat(ClassFile.of().verify(changed))
                    .as(place.text())
                    .allSatisfy(error -> assertThat(error).hasMessageContaining("resolve"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io/verbs4j/VerbsObject", "io/verbs4j/abi/command/IoctlCommand", "io/verbs4j/rxe/SendRing"})
    void codeWithProbesCanStillBeLoaded(String type) throws IOException {
        byte[] bytes = bytes(type);
        var numbered = new HashMap<Integer, Place>();
        Place.of(bytes).forEach(place -> numbered.put(numbered.size(), place));
        assertThat(ClassFile.of().verify(Place.probe(bytes, numbered)))
                .allSatisfy(error -> assertThat(error).hasMessageContaining("resolve"));
    }

    /// A boundary that no test meets is not reached, however often the comparison is.
    @Test
    void aMovedBoundaryIsReachedWhereItMatters() throws Exception {
        String type = Smaller.class.getName().replace('.', '/');
        Place boundary = Place.of(bytes(type))
                .stream()
                .filter(place -> place.change() == Change.MOVED_BOUNDARY)
                .findFirst()
                .orElseThrow();
        var constructor = new Changed()
                .define(Place.probe(bytes(type), Map.of(7, boundary)))
                .getDeclaredConstructor();
        constructor.setAccessible(true);
        var smaller = (IntBinaryOperator) constructor.newInstance();
        Probes.take();
        smaller.applyAsInt(3, 8);
        assertThat(Probes.take()).isEmpty();
        smaller.applyAsInt(8, 8);
        assertThat(Probes.take()).containsExactly(7);
    }

    /// A class with a constructor that runs once.
    enum Once {
        ONE(1);

        private final int number;

        Once(int number) {
            this.number = number;
        }

        static int one() {
            return ONE.number;
        }
    }

    @Test
    void theConstructorOfAnEnumIsReachedByEachMethod() throws Exception {
        String type = Once.class.getName().replace('.', '/');
        Place assignment = Place.of(bytes(type))
                .stream()
                .filter(place -> place.change() == Change.REMOVED_ASSIGNMENT)
                .findFirst()
                .orElseThrow();
        var one = new Changed().define(Place.probe(bytes(type), Map.of(7, assignment))).getDeclaredMethod("one");
        one.setAccessible(true);
        for (int call = 0; call < 2; call++) {
            Probes.take();
            assertThat(one.invoke(null)).isEqualTo(1);
            assertThat(Probes.take()).containsExactly(7);
        }
    }

    @Test
    void everyKindOfDefectHasItsPlaces() throws IOException {
        assertThat(Place.of(bytes("io/verbs4j/abi/command/IoctlCommand"))
                .stream()
                .map(Place::change)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Change.class))))
                .hasSize(Change.values().length);
    }

    @Test
    void aNegatedConditionTurnsTheSmallerIntoTheLarger() throws Exception {
        String type = Smaller.class.getName().replace('.', '/');
        Place condition = Place.of(bytes(type))
                .stream()
                .filter(place -> place.change() == Change.NEGATED_CONDITION)
                .findFirst()
                .orElseThrow();
        var constructor = new Changed().define(condition.apply(bytes(type))).getDeclaredConstructor();
        constructor.setAccessible(true);
        assertThat(((IntBinaryOperator) constructor.newInstance()).applyAsInt(3, 8)).isEqualTo(8);
        assertThat(new Smaller().applyAsInt(3, 8)).isEqualTo(3);
    }

    /// A record whose constructor checks its parameters.
    record Range(int first, long last) {
        Range {
            if (first > last) {
                throw new IllegalArgumentException("first > last");
            }
        }

        Range(int only) {
            this(only, only);
        }
    }

    /// The compiler writes the assignments to the fields of records.
    @Test
    void onlyWrittenCodeOfARecordHasPlaces() throws IOException {
        assertThat(Place.of(bytes(Range.class.getName().replace('.', '/'))))
                .extracting(Place::change)
                .containsExactly(Change.NEGATED_CONDITION, Change.MOVED_BOUNDARY);
    }

    @Test
    void placesHaveATextThatCanBeRead() throws IOException {
        for (Place place : Place.of(bytes("io/verbs4j/VerbsObject"))) {
            assertThat(Place.parse(place.text())).isEqualTo(place);
        }
    }
}
