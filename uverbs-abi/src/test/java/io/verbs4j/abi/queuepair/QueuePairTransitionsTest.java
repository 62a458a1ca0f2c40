// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Recording;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Compares the required and the optional attributes of each transition with `transitions.txt` ([Recording]).
class QueuePairTransitionsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/abi/queuepair/transitions.txt");

    @Test
    void areThoseRecorded() throws IOException {
        var lines = new ArrayList<String>();
        for (QueuePairType type : QueuePairType.values()) {
            for (QueuePairState from : QueuePairState.values()) {
                for (QueuePairState to : QueuePairState.values()) {
                    QueuePairTransitions.Rule rule = QueuePairTransitions.rule(type, from, to);
                    if (rule != null) {
                        lines.add(QueuePairTransitions.transition(type, from, to) + ": "
                                + QueuePairAttribute.of(rule.required()) + " "
                                + QueuePairAttribute.of(rule.optional()));
                    }
                }
            }
        }
        Recording.compare(FILE, lines);
    }

    @Test
    void violationsAreMissingAndForeignAttributes() {
        int right = QueuePairAttribute.mask(
                QueuePairAttribute.STATE, QueuePairAttribute.ACCESS_FLAGS, QueuePairAttribute.PKEY_INDEX,
                QueuePairAttribute.PORT);
        for (var expected : Map.of(
                right, List.of(),
                right & ~QueuePairAttribute.PORT.bit(), List.of("misses [PORT]"),
                right | QueuePairAttribute.QKEY.bit(), List.of("does not allow [QKEY]"),
                QueuePairAttribute.QKEY.bit(),
                List.of("misses [ACCESS_FLAGS, PKEY_INDEX, PORT]", "does not allow [QKEY]")).entrySet()) {
            assertThat(QueuePairTransitions.violations(
                    QueuePairType.RC, QueuePairState.RESET, QueuePairState.INIT, expected.getKey()))
                    .isEqualTo(expected.getValue());
        }
        assertThat(QueuePairTransitions.violations(QueuePairType.RC, QueuePairState.RTS, QueuePairState.INIT, right))
                .containsExactly(
                        "is no transition of the state machine; from RTS one can go to [RESET, RTS, SQD, ERR]");
    }
}
