// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.course;

import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.abi.catalogue.CStructs;
import io.verbs4j.abi.queuepair.QueuePairTransitions;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.rxe.RxeStructs;
import io.verbs4j.rxe.StructPicture;
import io.verbs4j.rxe.Svg;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The pictures of the course, made from layouts, from the table of states, and from what the programs have printed.
final class CoursePictures {
    private static final String OURS = "#cfe8cf";
    private static final String KERNELS = "#cfe0f5";
    private static final String DEVICES = "#fff2cc";

    private final Path course;
    private final Map<Path, String> pictures = new LinkedHashMap<>();

    private CoursePictures(Path course) {
        this.course = course;
    }

    /// All of them, by file.
    static Map<Path, String> draw(Path repository) {
        var all = new CoursePictures(repository.resolve("docs/course"));
        all.add("01-verb/ways.svg", ways());
        all.add("02-device/opening.svg", all.crossings("02-device", "OpenDevice"));
        all.add("03-envelope/envelope.svg", envelope());
        all.add("04-memory/reg-mr.svg", struct(
                "struct ib_uverbs_reg_mr, the request (green: chosen by the program)",
                core("ib_uverbs_reg_mr"),
                Set.of("start", "length", "hca_va", "pd_handle", "access_flags")));
        all.add("06-queuepair/states.svg", states());
        all.add("08-message/packets.svg", all.packets());
        all.add("09-errors/failed.svg", struct(
                "struct ib_uverbs_wc of a failed work request (green: valid)",
                rxe("ib_uverbs_wc"),
                Set.of("wr_id", "status", "vendor_err", "qp_num")));
        all.add("10-events/events.svg", all.crossings("10-events", "SleepForIt"));
        all.add("11-datagrams/receive.svg", datagram());
        all.add("12-hardware/owners.svg", owners());
        return all.pictures;
    }

    private void add(String file, String picture) {
        pictures.put(course.resolve(file), picture);
    }

    private static CStruct core(String name) {
        return CStructs.named(name).orElseThrow();
    }

    private static CStruct rxe(String name) {
        return RxeStructs.all().stream().filter(struct -> struct.name().equals(name)).findFirst().orElseThrow();
    }

    private static String struct(String title, CStruct struct, Set<String> coloured) {
        return StructPicture.draw(title, List.of(struct.layout()), List.of("imm_data"), at -> coloured.stream()
                .map(struct::field)
                .anyMatch(field -> field.offset() <= at && at < field.offset() + field.layout().byteSize()));
    }

    private static String envelope() {
        CStruct header = core("ib_uverbs_ioctl_hdr");
        CStruct attribute = core("ib_uverbs_attr");
        return StructPicture.draw(
                "a command of three attributes: ib_uverbs_ioctl_hdr (green), three times ib_uverbs_attr",
                List.of(header.layout(), attribute.layout(), attribute.layout(), attribute.layout()),
                List.of("data"),
                at -> at < header.size());
    }

    /// The three ways between a program and a device.
    private static String ways() {
        var svg = new Svg(860, 270);
        svg.box(20, 20, 820, 60, OURS).text(30, 40, "the program, in Java");
        svg.box(20, 110, 820, 60, KERNELS).text(30, 130, "the kernel: uverbs, and the device's driver");
        svg.box(20, 200, 820, 50, DEVICES)
                .text(30, 220, "the device (rxe: a part of the kernel that sends UDP packets)");
        String[][] ways = {
                {"control: ioctl()", "create, change, destroy"},
                {"data: rings in shared memory", "post, poll"},
                {"events: poll(), read()", "sleep until an event occurs"}
        };
        for (int i = 0; i < ways.length; i++) {
            int x = 150 + i * 270;
            boolean data = i == 1;
            svg.centred(x, 62, ways[i][1]);
            svg.line(x, 80, x, data ? 200 : 110);
            svg.pointer(x, data ? 192 : 102, false, "#444444");
            svg.centred(x, data ? 190 : 155, data ? "" : ways[i][0]);
            if (data) {
                svg.box(x - 115, 82, 230, 24, "#ffffff").centred(x, 98, ways[i][0]);
            }
        }
        return svg.toString();
    }

    /// Returns what crossed between program and kernel, from what a program printed: calls are indented.
    private String crossings(String chapter, String program) {
        return between("program", "kernel", chapter, program, line -> !line.startsWith("rxe"), (svg, y, line) -> {
            String call = line.strip().replaceFirst("^(IB_USER_VERBS_|UVERBS_METHOD_)(CMD_)?", "");
            if (line.startsWith("  ")) {
                svg.arrow(90, 760, y, Output.normalized(call).replaceAll("‹\\w+ ?(\\d*)›", "…"));
            } else {
                svg.text(100, y, line);
            }
        });
    }

    /// The packets that the program of the eighth chapter saw.
    private String packets() {
        return between(
                "10.9.0.1", "10.9.0.2", "08-message", "Packets", line -> !line.contains("SUCCESS"), (svg, y, row) -> {
                    String line = row.strip();
                    boolean there = line.startsWith("10.9.0.1");
                    if (line.startsWith("10.9.0.")) {
                        svg.arrow(
                                there ? 90 : 760, there ? 760 : 90, y,
                                line.substring(8).strip().replaceAll(" {2,}", ", "));
                    } else {
                        svg.text(100, y, line);
                    }
                });
    }

    /// Draws a line of a program's output at a height.
    private interface Row {
        void draw(Svg svg, int y, String line);
    }

    /// Draws two ends, and the shown lines of a program's output between them.
    private String between(
            String left, String right, String chapter, String program, Predicate<String> shown, Row row) {
        List<String> lines = new Page(Chapter.read(course.resolve(chapter).resolve("README.md")))
                .blocks("output", program)
                .getFirst()
                .lines()
                .filter(shown)
                .toList();
        var svg = new Svg(860, 60 + lines.size() * 34);
        svg.box(20, 14, 140, 26, OURS).centred(90, 31, left);
        svg.box(690, 14, 140, 26, KERNELS).centred(760, 31, right);
        svg.line(90, 40, 90, 50 + lines.size() * 34);
        svg.line(760, 40, 760, 50 + lines.size() * 34);
        for (int i = 0; i < lines.size(); i++) {
            row.draw(svg, 68 + i * 34, lines.get(i));
        }
        return svg.toString();
    }

    /// The states of a reliably connected queue pair, from the table that the library explains refusals with.
    private static String states() {
        List<QueuePairState> all = Stream.of(QueuePairState.values())
                .filter(state -> state != QueuePairState.SQE) // rxe never enters it
                .toList();
        var svg = new Svg(960, 520);
        svg.text(20, 20, "the path to RTS, and the attributes that each step requires (RC)");
        List<QueuePairState> path = List.of(
                QueuePairState.RESET, QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS);
        for (int i = 0; i < path.size(); i++) {
            int x = 20 + i * 270;
            svg.box(x, 40, 90, 30, OURS).centred(x + 45, 60, path.get(i).name());
            if (i > 0) {
                svg.arrow(x - 180, x, 55, "");
                var required = new ArrayList<>(QueuePairAttribute.of(
                        rule(path.get(i - 1), path.get(i)).required()));
                for (int line = 0; line < required.size(); line++) {
                    svg.text(x - 172, 88 + line * 16, required.get(line).name());
                }
            }
        }
        svg.text(20, 232,
                "all transitions, from the state at the left to the one above (number: attributes that are required)");
        for (int row = 0; row < all.size(); row++) {
            int y = 272 + row * 34;
            svg.box(20, y, 90, 30, OURS).centred(65, y + 20, all.get(row).name());
            svg.box(120 + row * 100, 240, 90, 28, OURS).centred(165 + row * 100, 259, all.get(row).name());
            for (int column = 0; column < all.size(); column++) {
                var rule = QueuePairTransitions.rule(QueuePairType.RC, all.get(row), all.get(column));
                svg.box(120 + column * 100, y, 90, 30, rule == null ? StructPicture.LEFT : "#ffffff");
                if (rule != null) {
                    svg.centred(165 + column * 100, y + 20, Integer.toString(Integer.bitCount(rule.required())));
                }
            }
        }
        return svg.toString();
    }

    private static QueuePairTransitions.Rule rule(QueuePairState from, QueuePairState to) {
        var rule = QueuePairTransitions.rule(QueuePairType.RC, from, to);
        if (rule == null) {
            throw new IllegalStateException("no transition from " + from + " to " + to);
        }
        return rule;
    }

    /// Returns what a datagram looks like in the memory of its receive (RFC 791; ib_verbs.h, `union rdma_network_hdr`).
    private static String datagram() {
        MemoryLayout header = MemoryLayout.structLayout(
                bytes(20, "unchanged"),
                bytes(1, "version"),
                bytes(1, "service"),
                bytes(2, "total length"),
                bytes(4, "id, fragment"),
                bytes(1, "ttl"),
                bytes(1, "17: UDP"),
                bytes(2, "checksum"),
                bytes(4, "source address"),
                bytes(4, "destination address"));
        if (header.byteSize() != GlobalRouteHeader.BYTES) {
            throw new IllegalStateException("bytes of the header: " + header.byteSize());
        }
        return StructPicture.draw(
                "a datagram's receive buffer over IPv4 (green: written by the device)",
                List.of(header, bytes(64, "the payload, from byte 40 on")),
                List.of(),
                at -> at >= 20);
    }

    private static MemoryLayout bytes(int count, String name) {
        return MemoryLayout.sequenceLayout(count, ValueLayout.JAVA_BYTE).withName(name);
    }

    /// Draws the places of the parts of a queue: rxe and mlx5 side by side.
    private static String owners() {
        var svg = new Svg(860, 300);
        svg.text(60, 24, "rxe (software)").text(480, 24, "mlx5 (hardware)");
        String[][] left = {
                {OURS, "program", "writes elements, stores producer_index"},
                {KERNELS, "ring: kernel memory, mapped into the program", "elements, producer_index, consumer_index"},
                {KERNELS, "doorbell: write() on the device file", "one system call a batch"},
                {DEVICES, "rxe's thread in the kernel", "reads elements, sends UDP packets"}
        };
        String[][] right = {
                {OURS, "program", "writes elements, stores the counter"},
                {OURS, "ring and doorbell record: the program's own", "memory, pinned; the device reads it by DMA"},
                {DEVICES, "doorbell: a store to a mapped device page", "no system call"},
                {DEVICES, "the adapter", "reads elements, sends packets"}
        };
        for (int i = 0; i < left.length; i++) {
            int y = 40 + i * 62;
            svg.box(20, y, 390, 48, left[i][0]).text(32, y + 20, left[i][1]).text(32, y + 38, left[i][2]);
            svg.box(440, y, 400, 48, right[i][0]).text(452, y + 20, right[i][1]).text(452, y + 38, right[i][2]);
        }
        return svg.text(20, 294, "green: the program's   blue: the kernel's   yellow: the device's").toString();
    }
}
