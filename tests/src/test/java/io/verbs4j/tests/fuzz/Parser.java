// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.fuzz;

import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.RemoteMemory;
import io.verbs4j.abi.btf.Btf;
import io.verbs4j.abi.discovery.NetlinkParser;
import io.verbs4j.abi.host.KernelRelease;
import io.verbs4j.cm.stream.GreetingParser;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedPacketException;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.LinkTypes;
import io.verbs4j.roce.PcapReader;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.roce.mad.Mad;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.perf.PerfAddressParser;
import io.verbs4j.tools.pingpong.PingPongAddressParser;
import io.verbs4j.types.Gid;
import io.verbs4j.types.VerbsException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Parsers of input from outside the program. Each accepts the input, or refuses it with a documented exception. Any
/// other exception is a defect.
public enum Parser {
    BTF(Seeds.btf(), bytes -> {
        Btf image = Btf.of(ByteBuffer.wrap(bytes));
        image.struct("pair").ifPresent(Object::toString);
    }, IllegalArgumentException.class),

    ETHERNET_FRAME(Seeds.frames(), bytes -> decode(LinkTypes.ETHERNET, bytes)),

    COOKED_FRAME(Seeds.frames(), bytes -> decode(LinkTypes.LINUX_COOKED, bytes)),

    COOKED_2_FRAME(Seeds.frames(), bytes -> decode(LinkTypes.LINUX_COOKED_2, bytes)),

    IP_FRAME(Seeds.frames(), bytes -> decode(LinkTypes.RAW_IP, bytes)),

    CAPTURE_FILE(Seeds.captures(), bytes -> {
        try (var reader = new PcapReader(new ByteArrayInputStream(bytes), "capture")) {
            for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
                FrameDecoder.decode(frame).toString();
            }
        }
    }, IOException.class),

    PACKET(Seeds.packets(), bytes -> {
        RoceV2Packet packet = RoceV2Packet.parse(bytes, 0, bytes.length);
        Mad.in(packet).ifPresent(Object::toString);
        packet.toString();
    }, DamagedPacketException.class),

    MAD(Seeds.mads(), bytes -> Mad.parse(bytes).ifPresent(mad -> mad.message().ifPresent(Object::toString))),

    NETLINK(Seeds.netlink(), NetlinkParser::read, VerbsException.class),

    STREAM_GREETING(Seeds.greetings(), GreetingParser::read, VerbsException.class),

    PERF_ADDRESS(Seeds.text("0000:0011:4e2b99:7f3a01:01ff2c:7f3a01000000:"
            + "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:09:00:01:00000000:"), PerfAddressParser::readText,
            ToolException.class),

    PERF_STRUCT(List.of(new byte[PerfAddressParser.STRUCT_BYTES]), PerfAddressParser::readStruct, ToolException.class),

    PING_PONG_ADDRESS(Seeds.text("0000:000011:4e2b99:00000000000000000000ffff0a090001"), PingPongAddressParser::read,
            ToolException.class),

    GID(Seeds.text("0000:0000:0000:0000:0000:ffff:0a09:0001", "fe80:0000:0000:0000:0000:00ff:fe00:0001"), bytes -> {
        Gid gid = Gid.parse(text(bytes));
        require(Gid.parse(gid.toString()).equals(gid), gid);
    }, IllegalArgumentException.class),

    GID_IN_DIGITS(Seeds.text("00000000000000000000ffff0a090001"), bytes -> {
        Gid gid = Gid.ofHex(text(bytes));
        require(Gid.ofHex(gid.toHex()).equals(gid), gid);
    }, IllegalArgumentException.class),

    REMOTE_MEMORY(Seeds.text("7f3a01000000/4096/1ff2c"), bytes -> {
        RemoteMemory memory = RemoteMemory.parse(text(bytes));
        require(RemoteMemory.parse(memory.toString()).equals(memory), memory);
    }, IllegalArgumentException.class),

    ENDPOINT(Seeds.text("11/4e2b99/0/1024/0000:0000:0000:0000:0000:ffff:0a09:0001/0/1",
            "11/4e2b99/0/4096/fe80:0000:0000:0000:0000:00ff:fe00:0001"), bytes -> {
                QueuePairEndpoint endpoint = QueuePairEndpoint.parse(text(bytes));
                require(QueuePairEndpoint.parse(endpoint.toString()).equals(endpoint), endpoint);
            }, IllegalArgumentException.class),

    KERNEL_RELEASE(Seeds.text("6.12.117+deb13-amd64", "6.1.0-50-amd64", "7.2"),
            bytes -> KernelRelease.parse(text(bytes)));

    private final List<byte[]> seeds;
    private final Body body;
    private final @Nullable Class<? extends Exception> refusal;

    /// One that refuses nothing.
    Parser(List<byte[]> seeds, Body body) {
        this(seeds, body, null);
    }

    /// @param refusal the exception by which it refuses input, as documented
    Parser(List<byte[]> seeds, Body body, @Nullable Class<? extends Exception> refusal) {
        this.seeds = seeds;
        this.body = body;
        this.refusal = refusal;
    }

    @FunctionalInterface
    private interface Body {
        void read(byte[] input) throws Exception;
    }

    /// Returns the parser of a name on the command line.
    static Parser named(String option) {
        return Arrays.stream(values())
                .filter(parser -> parser.option().equals(option))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no parser '" + option + "'"));
    }

    /// Returns inputs that it understands.
    public List<byte[]> seeds() {
        return seeds;
    }

    /// Returns the name on the command line.
    public String option() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Parses input.
    ///
    /// @return whether it was accepted; otherwise it was refused
    /// @throws AssertionError if it was neither accepted nor refused
    public boolean understands(byte[] input) {
        try {
            body.read(input);
            return true;
        } catch (Exception e) {
            if (refusal != null && refusal.isInstance(e)) {
                return false;
            }
            throw new AssertionError(option() + " neither understands nor refuses what it is given", e);
        }
    }

    private static void decode(int linkType, byte[] bytes) {
        FrameDecoder.decode(new CapturedFrame(1, 0, linkType, bytes.length, bytes)).toString();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static void require(boolean holds, Object read) {
        if (!holds) {
            throw new AssertionError("does not read its own text: " + read);
        }
    }
}
