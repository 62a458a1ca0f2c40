// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.verbs4j.tools.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `verbs packets` on small files: of what other programs write, of what captures and adapters cut, and of damage.
class PacketsCommandTest {
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    private static final String ENDS = "10.0.0.1 → 10.0.0.2  ";
    private static final String SEND = ENDS + "RC Send Only             QPN 0x000011  PSN 0x000005  AckReq";

    @TempDir private Path folder;

    private record Run(int code, String out, String err) {
        List<String> lines() {
            return out.lines().map(line -> line.substring(line.indexOf("  ", 3)).strip()).toList();
        }
    }

    private static Run run(Path file, String... options) {
        var out = new StringWriter();
        var err = new StringWriter();
        var arguments = new ArrayList<>(List.of("packets", file.toString()));
        arguments.addAll(List.of(options));
        String[] words = arguments.toArray(String[]::new);
        int code = Main.commandLine(words)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
        return new Run(code, out.toString(), err.toString());
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream resource = PacketsCommandTest.class.getResourceAsStream(name)) {
            return resource.readAllBytes();
        }
    }

    private Run runOn(String name, String... options) throws IOException {
        Run run = run(Files.write(folder.resolve(name), bytes(name)), options);
        assertThat(run.code).as(run.err).isZero();
        return run;
    }

    /// Parses what a program would, and returns the values of each object's own fields.
    private static List<Map<String, String>> objects(String text) throws IOException {
        var all = new ArrayList<Map<String, String>>();
        for (String line : text.lines().toList()) {
            var fields = new HashMap<String, String>();
            try (JsonParser parser = JSON.createParser(line)) {
                assertThat(parser.nextToken()).as(line).isEqualTo(JsonToken.START_OBJECT);
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    JsonToken value = parser.nextToken();
                    if (value.isStructStart()) {
                        parser.skipChildren();
                    } else {
                        fields.put(name, parser.getText());
                    }
                }
                assertThat(parser.nextToken()).as("something behind the object: %s", line).isNull();
            }
            all.add(fields);
        }
        return all;
    }

    @Test
    void cutPacketsAreShownAsFarAsTheyGo() throws IOException {
        assertThat(runOn("snap96.pcap").lines())
                .containsExactly(ENDS + "RC RDMA Write Only       QPN 0x000011  PSN 0x000005  AckReq"
                        + "  address 0xaaaa00001000  rkey 0x00000abc  length 1024  1024 bytes"
                        + "  (96 of 1098 bytes captured)");
        assertThat(objects(runOn("snap96.pcap", "--json").out).getFirst())
                .containsEntry("frame", "1")
                .containsEntry("virtualAddress", Long.toString(0xaaaa00001000L))
                .containsEntry("payloadLength", "1024")
                .containsEntry("capturedLength", "96")
                .containsEntry("problem", "96 of 1098 bytes captured")
                .doesNotContainKeys("icrc", "icrcOk");
        assertThat(runOn("cut-by-adapter.pcap").lines())
                .singleElement()
                .asString()
                .startsWith(ENDS + "UC RDMA Write Middle")
                .contains("bytes are there, by the length of IP)")
                .doesNotContain("ICRC");
    }

    @Test
    void everyLineForProgramsIsJsonWithItsTime() throws IOException {
        List<Map<String, String>> objects = objects(runOn("two.pcap", "--json").out);

        assertThat(objects).extracting(fields -> fields.get("nanoseconds")).containsExactly("0", "5000000000");
        assertThat(objects.get(0)).containsEntry("icrcOk", "true").doesNotContainKey("problem");
        assertThat(objects.get(1)).containsEntry("problem", "has more padding than payload: padCount=3");
        Run text = runOn("two.pcap");
        assertThat(text.out).contains("   5.000000  10.0.0.1 → 10.0.0.2");
        assertThat(runOn("two.pcap", "--json", "--last", "1").out).doesNotContain("not shown");
        assertThat(objects(runOn("c-programs.pcap", "--json", "--limit", "3").out)).hasSize(3);
    }

    @Test
    void lengthsThatClaimTooMuchAreNamed() throws IOException {
        assertThat(runOn("udp-length.pcap").lines())
                .containsExactly(SEND.replace("  AckReq", "")
                        + "  4 bytes  (UDP claims a length of 500 bytes, the IP packet has 28)");
    }

    @Test
    void formatsOfOtherProgramsAreRead() throws IOException {
        for (String name : List.of("one.pcapng", "qinq.pcap", "sll2.pcap")) {
            assertThat(runOn(name).lines()).as(name).containsExactly(SEND + "  4 bytes");
            assertThat(objects(runOn(name, "--json").out).getFirst()).containsEntry("icrcOk", "true");
        }
        assertThat(runOn("qinq.pcap", "-v").lines())
                .containsExactly(SEND
                        + "  4 bytes  [frame 1  VLAN 10  VLAN 100 priority 3  DSCP 0  ECN 0  TTL 64  UDP port 50000"
                        + "  P_Key 0xffff  pad 0  ICRC 0xaa59bcdf ok]");
    }

    @Test
    void unknownLinkTypesAreExplained() throws IOException {
        Run run = run(Files.write(folder.resolve("erf.pcap"), bytes("erf-like-197.pcap")), "--json");

        assertThat(run.code).isEqualTo(1);
        assertThat(run.out).isEmpty();
        assertThat(run.err)
                .contains("1 frame left out: link type 197 is ERF, in which ibdump writes InfiniBand")
                .doesNotContain("'any'");
    }

    @Test
    void fragmentsAndShortFramesAreCounted() throws IOException {
        byte[] file = bytes("two.pcap");
        file[24 + 16 + 20] = 0x20; // more fragments follow
        file[24 + 16 + 62 + 16 + 21] = 1; // not the first
        Run run = run(Files.write(folder.resolve("fragments.pcap"), file));

        assertThat(run.lines()).containsExactly(SEND + "  (the rest is in other IP fragments)");
        assertThat(run.err).isEqualTo(
                "1 frame left out: later fragments of UDP packets, which may belong to RoCE v2 packets\n");
    }

    /// Damages files of all kinds: the standard output is JSON lines or nothing.
    @Test
    void nothingButJsonIsPrintedWhateverTheFile() throws IOException {
        var random = new Random(40);
        var seeds = new ArrayList<byte[]>();
        for (String name : List.of("snap96.pcap", "cut-by-adapter.pcap", "two.pcap", "udp-length.pcap", "one.pcapng",
                "qinq.pcap", "sll2.pcap", "connections.pcap")) {
            seeds.add(bytes(name));
        }
        int objects = 0;
        Path file = folder.resolve("damaged");
        for (int round = 0; round < 1500; round++) {
            byte[] seed = seeds.get(random.nextInt(seeds.size()));
            byte[] damaged = random.nextInt(4) == 0
                    ? Arrays.copyOf(seed, random.nextInt(seed.length))
                    : seed.clone();
            for (int change = random.nextInt(4); change > 0 && damaged.length > 0; change--) {
                damaged[random.nextInt(Math.min(damaged.length, 300))] = (byte) random.nextInt();
            }
            Run run = run(Files.write(file, damaged), "--json");
            for (Map<String, String> fields : objects(run.out)) {
                objects++;
                assertThat(fields).containsKeys("frame", "source", "destination")
                        .containsAnyOf(
                                Map.entry("icrcOk", "true"), Map.entry("icrcOk", "false"),
                                Map.entry("problem", fields.getOrDefault("problem", "")));
            }
            assertThat(run.code == 0 || !run.err.isEmpty()).as("a failure has a reason").isTrue();
        }
        assertThat(objects).isGreaterThan(1000);
    }
}
