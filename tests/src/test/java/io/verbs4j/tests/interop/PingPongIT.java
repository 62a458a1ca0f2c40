// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The RC ping-pong between our program and `ibv_rc_pingpong`, in all pairings, over the wire.
@DeviceTest
@RealKernel("programs in C")
@Needs.OneKernel
class PingPongIT {
    private static final List<String> LONG_EXCHANGES = List.of("-s 128 -n 1000 -c", "-s 128 -n 1000 -c -e");
    private static final List<String> SHORT_EXCHANGES = List.of(
            "-s 1 -n 100 -c",
            "-s 65536 -n 20 -c",
            "-s 4096 -r 1 -n 100 -c",
            "-s 4096 -m 512 -n 50 -c");

    static Stream<Arguments> byEvents() {
        return PingPongComparison.everyPairing(List.of("-s 4096 -r 1 -n 100 -c -e"));
    }

    static Stream<Arguments> everyPairing() {
        return PingPongComparison
                .everyPairing(Stream.concat(LONG_EXCHANGES.stream(), SHORT_EXCHANGES.stream()).toList());
    }

    @ParameterizedTest(name = "client {0}, server {1}: {2}")
    @MethodSource("byEvents")
    void exchangesByEvents(Program client, Program server, String options) {
        new PingPongComparison("rc-pingpong").play(client, server, options);
    }

    @ParameterizedTest(name = "client {0}, server {1}: {2}")
    @MethodSource("everyPairing")
    @Needs.LongRun("a pair of programs for each of the options")
    void exchangesEveryMessage(Program client, Program server, String options) {
        new PingPongComparison("rc-pingpong").play(client, server, options);
    }

    @Test
    @Needs.LongRun("two Java processes start; commands run in this process otherwise")
    void processesExchangeEveryMessage() {
        new PingPongComparison("rc-pingpong")
                .play(Program.JAVA_PROCESS, Program.JAVA_PROCESS, SHORT_EXCHANGES.getFirst());
    }
}
