// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The ping-pong over a shared receive queue between our program and `ibv_srq_pingpong`, in all pairings, over the
/// wire.
@DeviceTest
@Covers({"ibv_create_srq", "ibv_post_srq_recv"})
@RealKernel("programs in C")
@Needs.OneKernel
@Needs.LongRun("pairs of programs; PingPongIT has the same conversation")
class SrqPingPongIT {
    private static final List<String> EXCHANGES = List.of(
            "-q 16 -s 128 -n 1000 -c",
            "-q 16 -s 128 -n 1000 -c -e",
            "-q 1 -s 4096 -n 100 -c",
            "-q 3 -r 3 -s 10000 -n 60 -c -e",
            "-q 4 -s 65536 -m 512 -n 40 -c");

    static Stream<Arguments> everyPairing() {
        return PingPongComparison.everyPairing(EXCHANGES);
    }

    @ParameterizedTest(name = "client {0}, server {1}: {2}")
    @MethodSource("everyPairing")
    void exchangesEveryMessage(Program client, Program server, String options) {
        int queuePairs = Integer.parseInt(options.split(" ")[1]);
        String lines = ("(?: *local " + PingPongComparison.ADDRESS + ", GID %%1$s\n){%1$d}"
                + "(?:  remote " + PingPongComparison.ADDRESS + ", GID %%2$s\n){%1$d}")
                .formatted(queuePairs);
        new PingPongComparison("srq-pingpong", lines).play(client, server, options);
    }
}
