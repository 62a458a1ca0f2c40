// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.host.Host;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedFrame;
import io.verbs4j.roce.DecodedFrame;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.PcapWriter;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.common.ToolDevices;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.wire.LiveCapture;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `verbs capture`.
@Command(
        name = "capture",
        header = "Show the RoCE v2 packets that cross a network interface, and write them to a file.",
        description = {
                "%nPrints a line for each packet that the interface sends or receives, in the format of 'packets',"
                        + " with a check of the invariant CRC. With -w it also writes the packets to a pcap file for"
                        + " tcpdump, Wireshark and 'packets'. Ends after -c packets, or when interrupted.",
                "%nRequires CAP_NET_RAW (root has it) for a packet socket of the kernel, but no libpcap. Packets"
                        + " between queue pairs of the same rxe device never reach a network interface, so they are"
                        + " not shown. Packets that hardware sends without the kernel are not shown either.%n"
        },
        footer = {
                "%nExamples:",
                "  verbs capture                              packets of the first device",
                "  verbs capture -i veth0 -c 10               ten packets of a network interface",
                "  verbs capture -i rxe1 --qp 0x11 --opcode ack        only acknowledgements to one queue pair",
                "  verbs capture -i rxe0 -w wire.pcap         also to a file",
                "  verbs capture -w - | wireshark -k -i -     live in Wireshark"
        })
public final class CaptureCommand implements Callable<Integer> {
    private static final long LONGEST_WAIT = TimeUnit.MILLISECONDS.toNanos(500);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-i", "--interface"},
            paramLabel = "<name>",
            description = "A network interface, or an RDMA device with one (default: the first device).") private @Nullable String name;

    @Option(
            names = {"-w", "--write"},
            paramLabel = "<file>",
            description = "Also write the packets to this pcap file; - writes them to stdout instead of lines.") private @Nullable String file;

    @Option(
            names = {"-c", "--count"},
            paramLabel = "<n>",
            converter = CNumber.Positive.class,
            description = "End after <n> packets.") private @Nullable Integer count;

    @Option(
            names = "--qp",
            paramLabel = "<number>",
            split = ",",
            converter = CNumber.NotNegative.class,
            description = "Show only packets to this queue pair, or datagrams from it; may be repeated.") private List<Integer> queuePairs =
                    new ArrayList<>();

    @Option(
            names = "--opcode",
            paramLabel = "<text>",
            split = ",",
            description = "Show only packets with <text> in the name of their opcode or of their connection manager's"
                    + " message, or with this opcode number; may be repeated.") private List<String> opcodes =
                            new ArrayList<>();

    @Option(
            names = {"-q", "--quiet"},
            description = "Print no lines, only the summary.") private boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            description = "Also show frame number, DSCP, ECN, TTL, UDP source port, P_Key, pad bytes, congestion bits,"
                    + " and the invariant CRC.") private boolean verbose;

    @Mixin private final JsonOption json = new JsonOption();

    private long seen;
    private long shown;
    private long wrong;
    private long lost;

    @Override
    public Integer call() {
        if (json.isSet() && verbose) {
            throw new ParameterException(spec.commandLine(),
                    "--json and --verbose cannot be combined: --json contains all fields");
        }
        String networkInterface = networkInterface();
        line(FrameDecoder.warmUp(), 0); // loads the classes that show a packet
        try (LiveCapture capture = open(networkInterface)) {
            var ended = new CountDownLatch(1);
            var interrupt = new Thread(() -> stop(capture, ended), "end capture");
            Runtime.getRuntime().addShutdownHook(interrupt);
            try {
                capture(capture, networkInterface);
            } finally {
                ended.countDown();
                remove(interrupt);
            }
        }
        return 0;
    }

    /// Returns the network interface with a name, or the interface of the device with that name.
    private String networkInterface() {
        Device device;
        if (name == null) {
            device = ToolDevices.select(null);
        } else {
            String wanted = name;
            Optional<Device> found = Devices.list().stream().filter(each -> each.name().equals(wanted)).findFirst();
            if (found.isEmpty()) {
                return wanted;
            }
            device = found.get();
        }
        return device.networkInterface()
                .orElseThrow(() -> new ToolException(device.name() + " has no network interface",
                        "choose an interface with -i"));
    }

    private static LiveCapture open(String networkInterface) {
        try {
            return LiveCapture.of(networkInterface);
        } catch (NoSuchFileException e) {
            throw new ToolException(
                    "unknown network interface or device: " + networkInterface,
                    Devices.list().isEmpty()
                            ? Host.current().absence().toString()
                            : "'ip link' lists network interfaces");
        } catch (IOException e) {
            throw new ToolException("cannot capture: " + IoFailure.reason(e));
        }
    }

    private void capture(LiveCapture capture, String networkInterface) {
        try (PcapWriter writer = file == null ? null : new PcapWriter(output(file))) {
            if (!isSilent()) {
                err("capturing on %s; press Ctrl-C to stop", networkInterface);
            }
            Listening.begins();
            run(capture, writer);
        } catch (IOException e) {
            throw cannotWrite(e);
        } finally {
            err("%d packets captured, %d shown, %d with a wrong ICRC, %d lost by the capture", seen, shown, wrong,
                    lost);
        }
    }

    private boolean isSilent() {
        return quiet || "-".equals(file);
    }

    private static OutputStream output(String file) throws IOException {
        // If the reader of System.out has gone, StandardOutput ends the process with 141.
        return file.equals("-")
                ? new KeptOpen(System.out)
                : new BufferedOutputStream(Files.newOutputStream(Path.of(file)));
    }

    /// A stream whose close leaves its target open: other commands of the process use the standard output, too.
    private static final class KeptOpen extends FilterOutputStream {
        KeptOpen(OutputStream target) {
            super(target);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }

    private ToolException cannotWrite(IOException failure) {
        return new ToolException("cannot write " + file + ": " + IoFailure.reason(failure));
    }

    private void run(LiveCapture capture, @Nullable PcapWriter writer) throws IOException {
        var filter = new PacketFilter(queuePairs, opcodes);
        long first = 0;
        while (!capture.isStopped() && !Thread.currentThread().isInterrupted() && (count == null || shown < count)) {
            CapturedFrame frame = capture.next(LONGEST_WAIT);
            if (frame != null) {
                first = seen == 0 ? frame.nanoseconds() : first;
                seen++;
                take(frame, frame.nanoseconds() - first, filter, writer);
            }
        }
        lost += capture.takeLost();
    }

    private void take(CapturedFrame frame, long time, PacketFilter filter, @Nullable PcapWriter writer)
            throws IOException {
        String line = switch (FrameDecoder.decode(frame)) {
            case RoceFrame found when filter.wants(found.packet()) -> {
                wrong += found.isIntact() ? 0 : 1;
                yield line(found, time);
            }
            case DamagedFrame found when filter.wants(found.start()) ->
                json.isSet() ? Json.line(PacketFields.of(found)) : PacketLine.format(found, time, detail());
            case DecodedFrame _ -> "";
        };
        if (line.isEmpty()) {
            return;
        }
        shown++;
        if (writer != null) {
            writer.write(frame);
        }
        if (!isSilent()) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(line);
            out.flush();
        }
    }

    private String line(RoceFrame frame, long time) {
        if (json.isSet()) {
            return Json.line(PacketFields.of(frame));
        }
        return PacketLine.format(frame, time, detail());
    }

    private PacketLine.Detail detail() {
        return verbose ? PacketLine.Detail.FULL : PacketLine.Detail.CHECKED;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    private void err(String format, Object... arguments) {
        PrintWriter err = spec.commandLine().getErr();
        err.printf(format + "%n", arguments);
        err.flush();
    }

    /// Handles a signal that ends the process. Waits until the summary is printed and the file is written.
    private static void stop(LiveCapture capture, CountDownLatch ended) {
        capture.stop();
        try {
            ended.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hook itself caused this end.
        }
    }
}
