// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.QueuePairType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/// Defaults and their dependencies, against `init_perftest_params` and `force_dependecies` of perftest.
class PerfPlanTest {
    private static PerfPlan plan(String arguments) {
        var options = new PerfOptions();
        new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options)).parseArgs(arguments.split(" "));
        return PerfPlan.of(options);
    }

    @ParameterizedTest
    @CsvSource({
            "send-lat,   2,     1000, 1,   512, 1",
            "send-bw,    65536, 1000, 128, 512, 1",
            "write-lat,  2,     1000, 1,   0,   1",
            "write-bw,   65536, 5000, 128, 0,   1",
            "read-bw,    65536, 1000, 128, 0,   1",
            "atomic-lat, 8,     1000, 1,   0,   1",
            "atomic-bw,  8,     1000, 128, 0,   100"
    })
    void defaultsAreThoseOfC(String test, int size, int iterations, int sends, int receives, int moderation) {
        PerfPlan plan = plan(test + " host");
        assertThat(plan.sizes()).containsExactly(size);
        assertThat(plan.iterations()).isEqualTo(iterations);
        assertThat(plan.sendDepth()).isEqualTo(sends);
        assertThat(plan.receiveDepth()).isEqualTo(receives);
        assertThat(plan.moderation()).isEqualTo(moderation);
        assertThat(plan.client()).isTrue();
    }

    @Test
    void queuesAreNoDeeperThanThereAreMessages() {
        PerfPlan plan = plan("send-bw -n 50 -s 64");
        assertThat(plan.sendDepth()).isEqualTo(50);
        assertThat(plan.receiveDepth()).isEqualTo(50);
        assertThat(plan.moderation()).isEqualTo(50);
        assertThat(plan.client()).isFalse();
    }

    @Test
    void unreliableTransportsHaveAReceiveForEachMessage() {
        assertThat(plan("send-bw -c UD -s 64 -n 5000").receiveDepth()).isEqualTo(5000);
        assertThat(plan("send-bw -c UC -s 64 -n 50000").receiveDepth()).isEqualTo(16_000);
        assertThat(plan("send-bw -c UC -s 64 -n 50000 -r 100").receiveDepth()).isEqualTo(100);
    }

    @Test
    void aListHasOneCompletion() {
        assertThat(plan("write-bw -l 16 -n 1600").moderation()).isEqualTo(16);
        assertThat(plan("write-bw -l 16 -n 1600 -Q 4").moderation()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"64K, 65536", "1M, 1048576", "0x40K, 65536", "3000, 3000", "2047M, 2146435072"})
    void sizesHaveTheSuffixesOfC(String text, int size) {
        assertThat(plan("write-bw -s " + text).sizes()).containsExactly(size);
    }

    @ParameterizedTest
    @CsvSource({
            "64k,  '64k' is not a size such as",
            "K,    'K' is not a size such as",
            "0M,   '0M' is not a size such as",
            "2G,   '2G' is not a size such as",
            "2048M, '2048M' is more than 2147483647 bytes"
    })
    void whatIsNoSizeIsRefused(String text, String message) {
        assertThatThrownBy(() -> plan("write-bw -s " + text)).isInstanceOf(ParameterException.class)
                .hasMessageContaining(message);
    }

    @Test
    void allSizesArePowersOfTwo() {
        assertThat(plan("read-lat -a").sizes()).hasSize(23).startsWith(2, 4).endsWith(1 << 22, 1 << 23);
    }

    @Test
    void whoSendsAndWhoReceives() {
        assertThat(plan("send-lat").isActive()).isTrue();
        assertThat(plan("send-lat").isReceiving()).isTrue();
        assertThat(plan("send-bw").isActive()).isFalse();
        assertThat(plan("send-bw").isReceiving()).isTrue();
        assertThat(plan("send-bw host").isReceiving()).isFalse();
        assertThat(plan("send-bw -b host").isReceiving()).isTrue();
        assertThat(plan("read-lat").isActive()).isFalse();
        assertThat(plan("write-bw host").isReceiving()).isFalse();
        assertThat(plan("send-lat -c UD").connection()).isEqualTo(QueuePairType.UD);
    }

    @Test
    void progressCountsWhatThisEndSendsAndReceives() {
        assertThat(plan("send-bw host").bandwidthMessages(1000)).isEqualTo(1000);
        assertThat(plan("send-bw").bandwidthMessages(1000)).isEqualTo(1000);
        assertThat(plan("send-bw -b host").bandwidthMessages(1000)).isEqualTo(2000);
        assertThat(plan("write-bw -b -q 4 host").bandwidthMessages(1000)).isEqualTo(4000);
        assertThat(plan("write-bw -D 5 host").bandwidthMessages(0)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
            "read-lat -c UC,          UC has no read-lat",
            "write-bw -c UD,          UD has no write-bw",
            "write-bw --average,      --average is for latency tests",
            "send-lat --average -D 5, -D does not go with --average",
            "read-lat -n 1,            a latency test needs -n 2 or more: it measures the time between two messages",
            "atomic-lat -s 16,        atomics have 8 bytes",
            "read-bw -I 64,           -I is for tests of sends and writes",
            "atomic-lat -I 8,         -I is for tests of sends and writes",
            "write-bw -r 100,         -r is for tests of sends",
            "read-lat -r 100,         -r is for tests of sends",
            "send-lat -l 4,           -l is for bandwidth tests",
            "send-lat -q 2,           -q is for bandwidth tests",
            "read-lat -b,             -b is for bandwidth tests",
            "write-lat -e,            write-lat looks at memory",
            "send-bw -D 2 -a,         -D does not go with -a",
            "send-bw -D 2 -e,         -D does not go with -e",
            "send-bw -n 10 -l 3,      -n must be a multiple of -l",
            "send-bw -t 4 -l 8 -n 80, -t 4 is less than -l 8",
            "write-bw -l 64 -Q 100 -n 6400, -l must be a multiple of -Q",
            "write-bw -l 8 -Q 3 -D 2, -l must be a multiple of -Q"
    })
    void contradictionsAreNamed(String arguments, String message) {
        assertThatThrownBy(() -> plan(arguments)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
