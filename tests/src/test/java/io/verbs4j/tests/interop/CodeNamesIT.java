// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PortState;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Codes of the kernel that libibverbs has names for, we have names for, too.
@DeviceTest
@Covers({"ibv_wc_status_str", "ibv_event_type_str", "ibv_port_state_str", "ibv_node_type_str"})
@RealKernel("libibverbs")
@Needs.OneKernel
class CodeNamesIT {
    /// Prints the codes whose name is not "unknown".
    private static final String CALL =
            """
                import ctypes, sys
                name = getattr(ctypes.CDLL("libibverbs.so.1"), sys.argv[1])
                name.restype = ctypes.c_char_p
                print(*(code for code in range(64) if name(code) not in (None, b"unknown")), sep="\\n")
                """;

    static Stream<Arguments> functions() {
        return Stream.of(
                of("ibv_wc_status_str", CompletionStatus::new),
                of("ibv_event_type_str", AsyncEventType::new),
                of("ibv_port_state_str", PortState::new),
                of("ibv_node_type_str", NodeType::new));
    }

    private static Arguments of(String function, IntFunction<Object> code) {
        return Arguments.of(function, code);
    }

    private static List<Integer> namedByC(String function) {
        return ExternalProcess.of("python3", "-c", CALL, function)
                .run(Duration.ofSeconds(30))
                .requireSuccess()
                .output()
                .lines()
                .map(Integer::valueOf)
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("functions")
    void haveNamesAsInC(String function, IntFunction<Object> code) {
        assertThat(namedByC(function))
                .hasSizeGreaterThan(5)
                .allSatisfy(value -> assertThat(code.apply(value).toString()).doesNotContain("UNKNOWN"));
        assertThat(code.apply(63)).hasToString("UNKNOWN(63)");
    }
}
