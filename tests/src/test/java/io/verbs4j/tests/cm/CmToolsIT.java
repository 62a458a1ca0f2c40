// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.ToolRun;
import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The test programs of librdmacm, in Java and in C at either end: what they print from first to last.
@DeviceTest
@RealKernel("programs in C")
@Needs.OneKernel
class CmToolsIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String LEFT = "10.9.0.1";
    private static final String RIGHT = "10.9.0.2";

    private static final String UDADDY_PORT = "7174";

    private static final String UCMATOSE_SERVER = """
        cmatose: starting server
        initiating data transfers
        completing sends
        receiving data transfers
        data transfers complete
        cmatose: disconnecting
        disconnected
        test complete
        return status 0
        """;
    private static final String UCMATOSE_CLIENT = """
        cmatose: starting client
        cmatose: connecting
        receiving data transfers
        sending replies
        data transfers complete
        test complete
        return status 0
        """;
    private static final String UDADDY_SERVER = """
        udaddy: starting server
        receiving data transfers
        sending replies
        data transfers complete
        test complete
        return status 0
        """;
    private static final String UDADDY_CLIENT = """
        udaddy: starting client
        udaddy: connecting
        initiating data transfers
        receiving data transfers
        data transfers complete
        test complete
        return status 0
        """;

    private static String port() {
        return Integer.toString(CmAddress.right().getPort());
    }

    private static String[] server(String program, String port) {
        return new String[]{program, "-b", RIGHT, "-c", "3", "-C", "5", "-S", "200", "-p", port};
    }

    private static String[] client(String program, String port) {
        return new String[]{program, "-s", RIGHT, "-b", LEFT, "-c", "3", "-C", "5", "-S", "200", "-p", port};
    }

    @Test
    @Needs.LongRun("a pair of programs; the other direction runs by default")
    void ucmatoseInJavaCallsC() throws Exception {
        String port = port();
        try (var server = CmPrograms.cServer(server("ucmatose", port))) {
            CmPrograms.awaitListener(port);
            assertThat(CmPrograms.javaClient(client("ucmatose", port)).output()).isEqualTo(UCMATOSE_CLIENT);
            assertThat(CmPrograms.output(server)).isEqualTo(UCMATOSE_SERVER);
        }
    }

    @Test
    void ucmatoseInCCallsJava() throws Exception {
        String port = port();
        var server = CmPrograms.javaServer(server("ucmatose", port));
        CmPrograms.awaitListener(port);
        assertThat(CmPrograms.cClient(client("ucmatose", port))).isEqualTo(UCMATOSE_CLIENT);
        assertThat(CmPrograms.output(server)).isEqualTo(UCMATOSE_SERVER);
    }

    @Test
    void ucmatoseMovesToAnotherEventChannel() throws Exception {
        String port = port();
        var server = CmPrograms.javaServer("ucmatose", "-b", RIGHT, "-p", port, "-m", "-a", "14");
        String output = CmPrograms.javaClient("ucmatose", "-s", RIGHT, "-p", port, "-m", "-a", "14", "-t", "8")
                .output();
        String moved = "migrating to new event channel\n";
        assertThat(output).isEqualTo(UCMATOSE_CLIENT.replace("test complete", moved + "test complete"));
        assertThat(CmPrograms.output(server))
                .isEqualTo(UCMATOSE_SERVER.replace("cmatose: disconnecting", moved + "cmatose: disconnecting"));
    }

    /// udaddy has one port, and -p is its port space.
    private static String[] withoutPort(String... command) {
        return List.of(command).subList(0, command.length - 2).toArray(String[]::new);
    }

    @Test
    @Needs.LongRun("a pair of programs; the other direction runs by default")
    void udaddyInJavaCallsC() throws Exception {
        try (var server = CmPrograms.cServer(withoutPort(server("udaddy", "0")))) {
            CmPrograms.awaitListener(UDADDY_PORT);
            assertThat(CmPrograms.javaClient(withoutPort(client("udaddy", "0"))).output()).isEqualTo(UDADDY_CLIENT);
            assertThat(CmPrograms.output(server)).isEqualTo(UDADDY_SERVER);
        }
    }

    @Test
    void udaddyInCCallsJava() throws Exception {
        var server = CmPrograms.javaServer(withoutPort(server("udaddy", "0")));
        CmPrograms.awaitListener(UDADDY_PORT);
        assertThat(CmPrograms.cClient(withoutPort(client("udaddy", "0")))).isEqualTo(UDADDY_CLIENT);
        assertThat(CmPrograms.output(server)).isEqualTo(UDADDY_SERVER);
    }

    private static String mckey(String kind, String doing) {
        return """
            mckey: starting %s
            mckey: joining
            mckey: joined dgid: ::ffff:239.1.2.3 mlid 0x0 sl 0
            %s data transfers
            data transfers complete
            test complete
            return status 0
            """.formatted(kind, doing);
    }

    @Test
    @Needs.LongRun("a pair of programs; the other direction runs by default")
    void mckeyInJavaSendsToC() {
        try (var receiver = CmPrograms.cServer("mckey", "-m", "239.1.2.3", "-b", RIGHT, "-C", "5")) {
            ToolRun sender = ToolRun.of("mckey", "-m", "239.1.2.3", "-b", LEFT, "-s", "-C", "5").requireSuccess();
            assertThat(sender.output()).isEqualTo(mckey("client", "initiating"));
            assertThat(CmPrograms.output(receiver)).isEqualTo(mckey("server", "receiving"));
        }
    }

    /// C's sender destroys its queue pair before rxe has sent, as a rule: so it is started until something was
    /// received.
    @Test
    void mckeyInCSendsToJava() throws Exception {
        var receiver = CmPrograms.javaServer("mckey", "-m", "239.1.2.3", "-b", RIGHT, "-C", "1");
        for (int i = 0; i < 20 && !receiver.isDone(); i++) {
            ExternalProcess.of("mckey", "-m", "239.1.2.3", "-b", LEFT, "-s", "-C", "64").run(LIMIT).requireSuccess();
        }
        assertThat(CmPrograms.output(receiver)).isEqualTo(mckey("server", "receiving"));
    }

    @Test
    void mckeyJoinsIpv6Groups() throws Exception {
        var receiver = CmPrograms.javaServer("mckey", "-m", "ff02::1:2:3", "-b", linkLocal("veth1"), "-C", "5");
        while (!isReceiving()) {
            assertThat(receiver).isNotDone();
            Thread.sleep(50);
        }
        ToolRun.of("mckey", "-m", "ff02::1:2:3", "-b", linkLocal("veth0"), "-s", "-o", "-C", "5", "--pause", "1")
                .requireSuccess();
        assertThat(CmPrograms.output(receiver)).contains("joined dgid: ff02::1:2:3 mlid 0x0 sl 0");
    }

    private static boolean isReceiving() {
        return ExternalProcess.of("ip", "maddress", "show", "dev", "veth1")
                .run(LIMIT)
                .requireSuccess()
                .output()
                .contains("ff02::1:2:3");
    }

    private static String linkLocal(String networkInterface) throws Exception {
        return NetworkInterface.getByName(networkInterface)
                .inetAddresses()
                .filter(Inet6Address.class::isInstance)
                .findFirst()
                .orElseThrow()
                .getHostAddress();
    }

    private static void assertTimes(String output) {
        assertThat(output.lines().map(line -> line.replaceAll(" +[0-9.]+", " #")))
                .containsExactly(
                        "creating id",
                        "binding source address",
                        "resolving address",
                        "resolving route",
                        "creating qp",
                        "connecting",
                        "disconnecting",
                        "destroying id",
                        "step              total ms     max ms     min us  us / conn",
                        "create id    : # # # #",
                        "bind addr    : # # # #",
                        "resolve addr : # # # #",
                        "resolve route: # # # #",
                        "create qp    : # # # #",
                        "connect      : # # # #",
                        "disconnect   : # # # #",
                        "destroy      : # # # #");
    }

    /// Newer ones make connections among many processes, and have other options.
    private static void assumeThatCsCmtimeHasOneServer() {
        String usage = ExternalProcess.of("cmtime", "-h").run(Duration.ofSeconds(60)).output();
        assumeTrue(usage.contains("[-s server_address]"), "this cmtime in C is another program");
    }

    @Test
    @Needs.LongRun("a pair of programs; the other direction runs by default")
    void cmtimeInJavaCallsC() throws Exception {
        assumeThatCsCmtimeHasOneServer();
        String port = port();
        try (var server = CmPrograms.cServer("cmtime", "-b", RIGHT, "-p", port)) {
            CmPrograms.awaitListener(port);
            String[] client = {"cmtime", "-s", RIGHT, "-b", LEFT, "-c", "20", "-p", port};
            assertTimes(CmPrograms.javaClient(client).output());
            server.signal("INT");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cmtimeInJavaIsCalled(boolean byJava) throws Exception {
        if (!byJava) {
            assumeThatCsCmtimeHasOneServer();
        }
        String port = port();
        var server = CmPrograms.javaServer("cmtime", "-b", RIGHT, "-p", port, "-c", "20", "--once");
        CmPrograms.awaitListener(port);
        String[] client = {"cmtime", "-s", RIGHT, "-b", LEFT, "-c", "20", "-p", port};
        assertTimes(byJava ? CmPrograms.javaClient(client).output() : CmPrograms.cClient(client));
        CmPrograms.output(server);
    }

    @ParameterizedTest
    @CsvSource({
            "ucmatose -s 10.9.0.2 -f gid, 'addresses are IP addresses or names, not GIDs'",
            "ucmatose -s 10.9.0.2 -P ib, only the port space tcp is supported: ib",
            "udaddy -s 10.9.0.2 -p 2, only the port space udp is supported: 2",
            "mckey -m 10.9.0.2, not a multicast address: 10.9.0.2",
            "mckey -m 239.1.2.3 -o, a send-only member (-o) receives nothing",
            "mckey -m 239.1.2.3 -b 10.9.0.2 -S 9000, a datagram of 9000 bytes is larger than the active MTU of "
    })
    void refusesWhatItCannotDo(String command, String reason) {
        ToolRun.of(command.split(" ")).requireFailure(1, "verbs " + command.split(" ")[0] + ": " + reason);
    }
}
