// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Mtu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class PingPongOptionsTest {
    @Command
    private static final class Holder {
        @Mixin private final PingPongOptions options = new PingPongOptions(PingPongOptions.LONG_MESSAGE);

        @Mixin private final PathMtuOption path = new PathMtuOption();
    }

    private static Holder parseBoth(String... arguments) {
        var holder = new Holder();
        new CommandLine(holder).setOverwrittenOptionsAllowed(true).parseArgs(arguments);
        return holder;
    }

    private static PingPongOptions parse(String... arguments) {
        return parseBoth(arguments).options;
    }

    @Test
    void defaultsAreThoseOfC() {
        PingPongOptions options = parse();

        assertThat(options.port()).isEqualTo(18515);
        assertThat(options.device()).isNull();
        assertThat(options.devicePort()).isEqualTo(1);
        assertThat(options.size()).isEqualTo(4096);
        assertThat(parseBoth().path.mtu()).isEqualTo(Mtu.MTU_1024);
        assertThat(options.receiveDepth()).isEqualTo(500);
        assertThat(options.iterations()).isEqualTo(1000);
        assertThat(options.serviceLevel()).isZero();
        assertThat(options.events()).isFalse();
        assertThat(options.gidIndex()).isNull();
        assertThat(options.check()).isFalse();
        assertThat(options.host()).isNull();
    }

    @Test
    void shortNamesAreThoseOfC() {
        PingPongOptions options = parse(
                "-p", "1", "-d", "rxe0", "-i", "2", "-s", "3", "-m", "4096", "-r", "5", "-n", "6", "-l", "7", "-e",
                "-g", "8",
                "-c", "10.9.0.2");

        assertThat(options.port()).isEqualTo(1);
        assertThat(options.device()).isEqualTo("rxe0");
        assertThat(options.devicePort()).isEqualTo(2);
        assertThat(options.size()).isEqualTo(3);
        assertThat(parseBoth("-m", "4096").path.mtu()).isEqualTo(Mtu.MTU_4096);
        assertThat(options.receiveDepth()).isEqualTo(5);
        assertThat(options.iterations()).isEqualTo(6);
        assertThat(options.serviceLevel()).isEqualTo(7);
        assertThat(options.events()).isTrue();
        assertThat(options.gidIndex()).isEqualTo(8);
        assertThat(options.check()).isTrue();
        assertThat(options.host()).isEqualTo("10.9.0.2");
    }

    @Test
    void longNamesAreThoseOfC() {
        PingPongOptions options = parse(
                "--port=1", "--ib-dev=rxe0", "--ib-port=2", "--size=3", "--mtu=256", "--rx-depth=5", "--iters=6",
                "--sl=7",
                "--events", "--gid-idx=8", "--chk", "server");

        assertThat(options.port()).isEqualTo(1);
        assertThat(options.device()).isEqualTo("rxe0");
        assertThat(parseBoth("--mtu=256").path.mtu()).isEqualTo(Mtu.MTU_256);
        assertThat(options.receiveDepth()).isEqualTo(5);
        assertThat(options.gidIndex()).isEqualTo(8);
        assertThat(options.events() && options.check()).isTrue();
        assertThat(options.host()).isEqualTo("server");
    }

    @Test
    void valuesMayBeAttachedAndFlagsCombined() {
        PingPongOptions options = parse("-ecs128", "-n0x10", "host", "-r010");

        assertThat(options.events() && options.check()).isTrue();
        assertThat(options.size()).isEqualTo(128);
        assertThat(options.iterations()).isEqualTo(16);
        assertThat(options.receiveDepth()).isEqualTo(8);
        assertThat(options.host()).isEqualTo("host");
    }

    @Test
    void lastOneCounts() {
        assertThat(parse("-s", "1", "-s", "2").size()).isEqualTo(2);
    }

    @Test
    void negativeGidIndexMeansNone() {
        assertThat(parse("-g", "-1").gidIndex()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            emptyValue = "",
            value = {
                    "-p|0|'0' is out of range: 1..65535",
                    "-p|65536|'65536' is out of range: 1..65535",
                    "-p|http|'http' is not a number",
                    "-i|0|'0' is out of range: 1..255",
                    "-s|0|'0' is out of range: 1 or more",
                    "-s|4k|'4k' is not a number",
                    "-s|3000000000|'3000000000' is out of range: 1 or more",
                    "-s|99999999999999999999|'99999999999999999999' is not a number",
                    "-m|1500|'1500' is not 256, 512, 1024, 2048 or 4096",
                    "-r|-1|'-1' is out of range: 1 or more",
                    "-n|\"\"|'' is not a number",
                    "-l|16|'16' is out of range: 0..15",
                    "-g|256|'256' is out of range: -1..255"
            })
    void badValuesAreNamed(String option, String value, String message) {
        assertThatThrownBy(() -> parse(option, value))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("Invalid value for option '--")
                .hasMessageContaining(message);
    }

    @Test
    void secondHostAndUnknownOptionAreRefused() {
        assertThatThrownBy(() -> parse("a", "b")).isInstanceOf(ParameterException.class);
        assertThatThrownBy(() -> parse("-o")).isInstanceOf(ParameterException.class);
        assertThatThrownBy(() -> parse("-s")).isInstanceOf(ParameterException.class);
    }
}
