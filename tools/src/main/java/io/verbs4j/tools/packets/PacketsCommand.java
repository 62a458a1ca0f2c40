// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedFrame;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.OtherFrame;
import io.verbs4j.roce.PcapReader;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.common.ToolException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs packets`.
@Command(
        name = "packets",
        header = "Show the RoCE packets of a capture, one line each.",
        description = {
                "%nReads a pcap or pcapng file, as written by tcpdump and Wireshark. For each RoCE packet it prints:"
                        + " seconds since the first packet, source and destination, opcode, destination queue pair"
                        + " number, packet sequence number, AckReq and solicited bits, the fields of the extension"
                        + " headers and of the connection manager's message, and the number of payload bytes."
                        + " Packets of RoCE v2 are also found behind VLAN tags and inside VXLAN, GRE and ERSPAN;"
                        + " packets of RoCE v1 are found by their Ethernet type. A packet that was truncated by the"
                        + " capture or an adapter is shown as far as possible. Other packets are left out. Needs"
                        + " neither libpcap nor a device.%n"
        },
        footer = {
                "%nExamples:",
                "  tcpdump -i veth0 -w wire.pcap udp port 4791     capture",
                "  verbs packets wire.pcap --limit 12              the first 6 and the last 6 packets",
                "  verbs packets wire.pcap -v --last 1             the last one, with all fields",
                "  tcpdump -i veth0 -U -w - udp port 4791 | verbs packets -     live"
        })
public final class PacketsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "<file>",
            description = "The capture, in pcap or pcapng format; - for the standard input.") private String file = "";

    @Option(
            names = "--limit",
            paramLabel = "<n>",
            converter = CNumber.Positive.class,
            description = "Show at most <n> packets: the first <n>/2 and the last <n>/2 (default: all).") private @Nullable Integer limit;

    @Option(
            names = "--first",
            paramLabel = "<n>",
            converter = CNumber.NotNegative.class,
            description = "Show the first <n> packets.") private @Nullable Integer first;

    @Option(
            names = "--last",
            paramLabel = "<n>",
            converter = CNumber.NotNegative.class,
            description = "Show the last <n> packets.") private @Nullable Integer last;

    @Option(
            names = {"-v", "--verbose"},
            description = "Also show frame number, VLAN, DSCP, ECN, TTL, UDP source port, P_Key, pad bytes, congestion"
                    + " bits, and the invariant CRC with its check.") private boolean verbose;

    @Mixin private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        if (limit != null && (first != null || last != null)) {
            throw new ParameterException(spec.commandLine(), "--limit cannot be combined with --first or --last");
        }
        PrintWriter out = spec.commandLine().getOut();
        LineWindow window = window(out);
        String name = file.equals("-") ? "the standard input" : file;
        try (
                InputStream input = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
                var reader = new PcapReader(new BufferedInputStream(input), name)) {
            return print(reader, window, name);
        } catch (NoSuchFileException e) {
            throw new ToolException("no such file: " + file);
        } catch (IOException e) {
            String reason = IoFailure.reason(e);
            throw new ToolException(reason.startsWith(name) ? reason : "cannot read " + name + ": " + reason);
        } finally {
            window.finish();
        }
    }

    private LineWindow window(PrintWriter out) {
        if (limit != null) {
            return new LineWindow(out, limit - limit / 2, limit / 2, json.isSet());
        }
        return first == null && last == null
                ? new LineWindow(out, Integer.MAX_VALUE, 0, json.isSet())
                : new LineWindow(out, first == null ? 0 : first, last == null ? 0 : last, json.isSet());
    }

    private int print(PcapReader reader, LineWindow window, String name) throws IOException {
        long frames = 0;
        long packets = 0;
        var leftOut = new LeftOutFrames();
        var clock = new CaptureClock();
        var detail = verbose ? PacketLine.Detail.FULL : PacketLine.Detail.SHORT;
        for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
            frames++;
            long stamp = frame.nanoseconds();
            String line = switch (FrameDecoder.decode(frame)) {
                case RoceFrame found ->
                    json.isSet()
                            ? Json.line(PacketFields.of(found))
                            : PacketLine.format(found, clock.read(stamp), detail);
                case DamagedFrame found ->
                    json.isSet()
                            ? Json.line(PacketFields.of(found))
                            : PacketLine.format(found, clock.read(stamp), detail);
                case OtherFrame other -> {
                    leftOut.count(other, frame);
                    yield "";
                }
            };
            if (!line.isEmpty()) {
                packets++;
                window.add(line);
            }
        }
        window.finish();
        PrintWriter err = spec.commandLine().getErr();
        leftOut.report(err);
        if (packets == 0) {
            err.println("no RoCE packet (UDP port " + RoceV2Packet.UDP_PORT + ", or Ethernet type 0x8915) among the "
                    + frames + " frames of " + name);
        }
        return packets == 0 && leftOut.ofUnknownLinkTypes() ? 1 : 0;
    }
}
