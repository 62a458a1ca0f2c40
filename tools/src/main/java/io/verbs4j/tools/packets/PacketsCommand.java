// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedPacketException;
import io.verbs4j.roce.PcapReader;
import io.verbs4j.tools.CNumber;
import io.verbs4j.tools.Json;
import io.verbs4j.tools.JsonOption;
import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.wire.FrameDecoder;
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
        header = "Show the RoCE v2 packets of a capture, one line each.",
        description = {
                "%nReads a pcap file, as tcpdump writes it, and prints for each RoCE v2 packet: seconds since the first one,"
                        + " source and destination, opcode, destination queue pair number, packet sequence number, AckReq"
                        + " and solicited bits, what its extension headers and the connection manager's message say, and the"
                        + " bytes of payload. Other packets are"
                        + " left out. Needs neither libpcap nor a device.%n"
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
            description = "The capture, in pcap format; - for the standard input.") private String file = "";

    @Option(
            names = "--limit",
            paramLabel = "<n>",
            converter = CNumber.Positive.class,
            description = "At most <n> packets: the first half of them and the last (default: all).") private @Nullable Integer limit;

    @Option(
            names = "--first",
            paramLabel = "<n>",
            converter = CNumber.NotNegative.class,
            description = "The first <n> packets.") private @Nullable Integer first;

    @Option(
            names = "--last",
            paramLabel = "<n>",
            converter = CNumber.NotNegative.class,
            description = "The last <n> packets.") private @Nullable Integer last;

    @Option(
            names = {"-v", "--verbose"},
            description = "Also UDP source port, P_Key, pad bytes, congestion bits, and the invariant CRC with its check.") private boolean verbose;

    @Mixin private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        if (limit != null && (first != null || last != null)) {
            throw new ParameterException(spec.commandLine(), "--limit does not go with --first or --last");
        }
        PrintWriter out = spec.commandLine().getOut();
        LineWindow window = window(out);
        String name = file.equals("-") ? "the standard input" : file;
        try (
                InputStream input = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
                var reader = new PcapReader(new BufferedInputStream(input), name)) {
            return print(reader, window, name);
        } catch (NoSuchFileException e) {
            throw new ToolException("there is no file " + file);
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            throw new ToolException(reason.startsWith(name) ? reason : "cannot read " + name + ": " + reason);
        } finally {
            window.finish();
        }
    }

    private LineWindow window(PrintWriter out) {
        if (limit != null) {
            return new LineWindow(out, limit - limit / 2, limit / 2);
        }
        return first == null && last == null
                ? new LineWindow(out, Integer.MAX_VALUE, 0)
                : new LineWindow(out, first == null ? 0 : first, last == null ? 0 : last);
    }

    private int print(PcapReader reader, LineWindow window, String name) throws IOException {
        var decoder = new FrameDecoder(reader.linkType());
        long frames = 0;
        long packets = 0;
        var clock = new CaptureClock();
        var detail = verbose ? PacketLine.Detail.FULL : PacketLine.Detail.SHORT;
        for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
            frames++;
            String line = null;
            try {
                var decoded = decoder.decode(frame);
                if (decoded.isPresent()) {
                    line = json.isSet()
                            ? Json.line(PacketFields.of(decoded.get()))
                            : PacketLine.format(decoded.get(), clock.read(frame.nanoseconds()), detail);
                }
            } catch (DamagedPacketException e) {
                line = PacketLine.time(clock.read(frame.nanoseconds())) + "frame " + frame.number() + ": "
                        + e.getMessage();
            }
            if (line != null) {
                packets++;
                window.add(line);
            }
        }
        if (packets == 0) {
            spec.commandLine()
                    .getErr()
                    .println("no RoCE v2 packet (UDP port 4791) among the " + frames + " frames of " + name);
        }
        return 0;
    }
}
