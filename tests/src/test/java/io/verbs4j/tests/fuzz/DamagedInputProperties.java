// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Damage;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// Damaged input is understood or refused, by each parser.
class DamagedInputProperties {
    record Input(Parser parser, byte[] bytes) {}

    @Provide
    Arbitrary<Input> damaged() {
        return Arbitraries.of(Parser.class)
                .flatMap(parser -> Damage.of(parser.seeds().toArray(byte[][]::new))
                        .map(bytes -> new Input(parser, bytes)));
    }

    @Provide
    Arbitrary<Input> random() {
        return Combinators.combine(
                Arbitraries.of(Parser.class),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(300))
                .as(Input::new);
    }

    @Property(tries = 20_000)
    void isUnderstoodOrRefused(@ForAll("damaged") Input input) {
        input.parser().understands(input.bytes());
    }

    @Property(tries = 5_000)
    void thatIsNothingAtAllIsUnderstoodOrRefused(@ForAll("random") Input input) {
        input.parser().understands(input.bytes());
    }

    /// The frames are of four kinds, of which each parser understands one and leaves the others alone.
    @Example
    void seedsAreUnderstood() {
        for (Parser parser : Parser.values()) {
            for (byte[] seed : parser.seeds()) {
                assertThat(parser.understands(seed)).as(parser.option()).isTrue();
            }
        }
    }
}
