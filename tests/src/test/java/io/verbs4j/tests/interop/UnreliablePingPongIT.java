// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The UC and UD ping-pongs between our programs and `ibv_uc_pingpong` and `ibv_ud_pingpong`, in all pairings, over the
/// wire. There no packets are lost, and each end always has a posted receive.
@DeviceTest
@RealKernel("programs in C")
@Needs.OneKernel
@Needs.LongRun("pairs of programs; PingPongIT has the same conversation")
class UnreliablePingPongIT {
    private static final String LONG = "-s 128 -n 500 -c";

    static Stream<Arguments> connected() {
        return PingPongComparison.everyPairing(List.of(
                LONG, LONG + " -e", "-s 1 -n 50 -c", "-s 65536 -n 20 -c", "-s 4096 -r 2 -m 512 -n 50 -c -e"));
    }

    static Stream<Arguments> datagrams() {
        return PingPongComparison.everyPairing(
                List.of(LONG, LONG + " -e", "-s 1 -n 50 -c", "-s 1024 -r 2 -n 50 -c", "-s 1024 -r 2 -n 50 -c -e"));
    }

    @ParameterizedTest(name = "client {0}, server {1}: {2}")
    @MethodSource("connected")
    void exchangesEveryMessage(Program client, Program server, String options) {
        new PingPongComparison("uc-pingpong").play(client, server, options);
    }

    @ParameterizedTest(name = "client {0}, server {1}: {2}")
    @MethodSource("datagrams")
    void exchangesEveryDatagram(Program client, Program server, String options) {
        new PingPongComparison("ud-pingpong").play(client, server, options);
    }

    @Test
    void refusesADatagramThatNoPacketHolds() {
        try (var program = Program.JAVA.start("ud-pingpong", "-d " + Rxe.LEFT + " -s 1025")) {
            assertThat(program.exitCode(Duration.ofSeconds(30))).isEqualTo(1);
            assertThat(program.output())
                    .contains("Requested size larger than port MTU (1024)", "set a smaller size with -s");
        }
    }
}
