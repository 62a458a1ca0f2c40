// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.Errno;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The kernel of `mlx5_ib` for this provider. Its output equals that of `src/test/oracle/kernel.c` for libmlx5, line by
/// line. It reads requests by `write()`, and queue memory by the addresses in them.
final class FakeMlx5Kernel extends KernelSide {
    static final int SLOT = 64;
    private static final int PAGE = 4096;
    private static final int RESIZED = 5;
    private static final int UD = 4;

    /// Memory that the device reads or writes, and its contents when it was printed last.
    private static final class Area {
        final String name;
        final MemorySegment memory;
        final int handle;
        byte[] shown;

        Area(int handle, String name, MemorySegment memory) {
            this.name = name;
            this.memory = memory;
            this.handle = handle;
            this.shown = new byte[(int) memory.byteSize()];
        }
    }

    /// A completion queue on the device's side.
    static final class Queue {
        final int handle;
        int entries;
        int producer;
        long buffer;

        Queue(int handle, int entries, long buffer) {
            this.handle = handle;
            this.entries = entries;
            this.buffer = buffer;
        }

        void put(byte[] bytes) {
            MemorySegment slot = at(buffer + (long) (producer & entries - 1) * SLOT, SLOT);
            int owner = (producer & entries) == 0 ? 0 : 1;
            byte[] own = bytes.clone();
            own[SLOT - 1] = (byte) ((own[SLOT - 1] & ~1) | owner);
            MemorySegment.copy(own, 0, slot, JAVA_BYTE, 0, SLOT);
            producer++;
        }
    }

    /// Queues of a queue pair, or a shared receive queue with its elements in place of the receive queue.
    ///
    /// @param address address of the buffer
    /// @param record address of the doorbell record
    record Work(
            int number, long address, long record, int sendBlocks, int receives, int shift, boolean datagrams) {
        long sends() {
            return address + ((long) receives << shift);
        }
    }

    final List<Queue> queues = new ArrayList<>();
    final List<Work> pairs = new ArrayList<>();
    final List<Work> shared = new ArrayList<>();

    private final Arena arena = Arena.ofShared();
    private final StringBuilder text;
    private final int sharedLimit;
    private final List<Area> areas = new ArrayList<>();
    private int windows;
    private int handlesOfAddresses;
    private int pages;
    private boolean printing;

    /// Limits of the device that differ from the usual ones, by C field names.
    final Map<String, Integer> limits = new HashMap<>();
    /// Whether the device marks the end of a ring that is resized.
    boolean marksResizes = true;
    int vendorPart = 4119;
    int completionVersion;

    /// @param text receives all output
    FakeMlx5Kernel(StringBuilder text, int sharedLimit) {
        super(RdmaDriver.MLX5);
        this.text = text;
        this.sharedLimit = sharedLimit;
        hasIoctl = false;
        nextHandle = 1;
        nextFile = 76;
    }

    void print(boolean on) {
        printing = on;
    }

    /// Returns the resources that remain, and the names of queue memory that the device still uses.
    @Override
    public List<String> left() {
        List<String> left = super.left();
        areas.stream().filter(area -> area.handle != 0).forEach(area -> left.add(area.name));
        return left;
    }

    /// Returns a copy of all queue memory and doorbell records.
    byte[] memory() {
        var all = new ByteArrayOutputStream();
        areas.forEach(area -> all.writeBytes(area.memory.toArray(JAVA_BYTE)));
        return all.toByteArray();
    }

    private void watch(int handle, String name, MemorySegment memory) {
        areas.add(new Area(handle, name, memory));
    }

    private void forget(int handle, String part) {
        areas.removeIf(area -> area.handle == handle && area.name.contains(part));
    }

    /// Prints the changes.
    void show() {
        for (Area area : areas) {
            byte[] now = area.memory.toArray(JAVA_BYTE);
            for (int i = 0; i < now.length; i += 16) {
                int end = Math.min(i + 16, now.length);
                if (!Arrays.equals(now, i, end, area.shown, i, end)) {
                    text.append("  ")
                            .append(area.name)
                            .append('+')
                            .append(Integer.toHexString(i))
                            .append(' ')
                            .append(HexFormat.of().formatHex(now, i, end))
                            .append('\n');
                }
            }
            area.shown = now;
            if (area.handle == 0) {
                area.memory.fill((byte) 0);
                area.shown = new byte[now.length];
            }
        }
    }

    private void print(KernelCall call, int buffers) {
        if (!printing) {
            return;
        }
        CView request = call.request();
        boolean named = request.struct().fields().stream().anyMatch(field -> field.path().equals("user_handle"));
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(call.request.toArray(JAVA_BYTE));
        bytes.writeBytes(call.driverIn.toArray(JAVA_BYTE));
        int driver = request.struct().size();
        text.append("command ").append(Objects.requireNonNull(call.command).number()).append(' ');
        for (int i = 8; i < bytes.size(); i += 8) {
            if (named && i == 8) {
                text.append(" user");
            } else if (buffers > 0 && i == driver) {
                text.append(" buf");
            } else if (buffers > 1 && i == driver + 8) {
                text.append(" db");
            } else {
                text.append(' ')
                        .append(HexFormat.of().formatHex(bytes.toByteArray(), i, Math.min(i + 8, bytes.size())));
            }
        }
        text.append('\n');
    }

    private void queryDevice(CView view) {
        view.set("response_length", view.memory().byteSize())
                .set("base.vendor_id", 0x2c9)
                .set("base.vendor_part_id", vendorPart)
                .set("base.max_qp", 1000)
                .set("base.max_qp_wr", 32768)
                .set("base.max_sge", 30)
                .set("base.phys_port_cnt", 1)
                .set("base.max_cq", 1000)
                .set("base.max_cqe", 4194303)
                .set("base.max_mr", 1000)
                .set("base.max_pd", 1000)
                .set("base.max_mw", 1000)
                .set("base.max_ah", 1000)
                .set("base.max_srq", 1000)
                .set("base.max_srq_wr", 32767)
                .set("base.max_srq_sge", 31)
                .set("base.atomic_cap", 1);
        limits.forEach(view::set);
    }

    @Override
    protected int answer(KernelCall call) {
        int result = track(call);
        switch (call.operation()) {
            case "query device" -> queryDevice(call.response());
            case "query shared receive queue" ->
                call.response().set("max_wr", 99).set("max_sge", 3).set("srq_limit", 2);
            case "get context" -> context(call);
            case "query port" ->
                call.response()
                        .set("state", 4)
                        .set("max_mtu", 5)
                        .set("active_mtu", 3)
                        .set("gid_tbl_len", 1)
                        .set("pkey_tbl_len", 1)
                        .set("max_msg_sz", 1 << 30)
                        .set("link_layer", 2);
            case "allocate protection domain" -> call.driverOut.set(JAVA_INT, 0, 0x42);
            case "allocate memory window" -> call.response().set("rkey", 0x5000 + (windows++ << 8));
            case "create address handle" -> {
                print(call, 0);
                for (int i = 0; i < 6; i++) {
                    call.driverOut.set(JAVA_BYTE, 4 + i, (byte) (0x20 + handlesOfAddresses + i));
                }
                handlesOfAddresses++;
            }
            case "create completion queue" -> createQueue(call);
            case "resize completion queue" -> resize(call);
            case "create shared receive queue" -> createShared(call);
            case "create queue pair" -> createPair(call);
            case "modify queue pair" -> {
                if (printing) {
                    text.append("command 26 state ").append(call.get("qp_state")).append('\n');
                }
            }
            case "destroy completion queue", "destroy queue pair", "destroy shared receive queue" ->
                forget(call.handle(), "");
            case "create completion channel", "modify shared receive queue", "destroy address handle",
                    "deallocate protection domain", "deallocate memory window" ->
                {}
            default -> {
                return -Errno.EOPNOTSUPP;
            }
        }
        return result;
    }

    private void context(KernelCall call) {
        call.response().set("num_comp_vectors", 4);
        CommandStructs.CONTEXT_ANSWER
                .view(call.driverOut)
                .set("bf_reg_size", 512)
                .set("tot_bfregs", call.driverIn.get(JAVA_INT, 0))
                .set("cache_line_size", 64)
                .set("max_sq_desc_sz", 1024)
                .set("max_rq_desc_sz", 512)
                .set("max_send_wqebb", 32768)
                .set("max_recv_wr", 32768)
                .set("max_srq_recv_wr", sharedLimit)
                .set("num_ports", 1)
                .set("cqe_version", completionVersion)
                .set("num_uars_per_page", 1);
    }

    private void createQueue(KernelCall call) {
        int entries = (int) call.get("cqe") + 1;
        print(call, 2);
        long buffer = call.driverIn.get(JAVA_LONG, 0);
        queues.add(new Queue(call.handle(), entries, buffer));
        watch(call, "cq" + (queues.size() - 1), (long) entries * SLOT, 8);
        call.response().set("cqe", entries - 1);
        call.driverOut.set(JAVA_INT, 0, 0x70 + queues.size() - 1);
    }

    private void resize(KernelCall call) {
        print(call, 1);
        int handle = call.handle();
        Queue queue = queues.stream().filter(each -> each.handle == handle).findFirst().orElseThrow();
        if (marksResizes) {
            byte[] mark = new byte[SLOT];
            mark[SLOT - 1] = RESIZED << 4;
            queue.put(mark);
        }
        queue.buffer = call.driverIn.get(JAVA_LONG, 0);
        queue.entries = (int) call.get("cqe") + 1;
        forget(handle, ".buf");
        watch(handle, "cq" + queues.indexOf(queue) + ".buf", at(queue.buffer, (long) queue.entries * SLOT));
        call.response().set("cqe", queue.entries - 1);
    }

    private void createShared(KernelCall call) {
        print(call, 2);
        int last = (int) call.get("max_wr");
        int elements = (int) call.get("max_sge");
        int shift = 5;
        while (1 << shift < 16 + 16 * elements) {
            shift++;
        }
        int number = 0x90 + shared.size();
        MemorySegment driver = call.driverIn;
        shared.add(new Work(number, driver.get(JAVA_LONG, 0), driver.get(JAVA_LONG, 8), 0, last + 1, shift, false));
        watch(call, "srq" + (shared.size() - 1), (long) (last + 1) << shift, 4);
        call.response().set("max_wr", last).set("max_sge", elements);
        call.driverOut.set(JAVA_INT, 0, number);
    }

    private void createPair(KernelCall call) {
        print(call, 2);
        MemorySegment driver = call.driverIn;
        var work = new Work(
                0x120 + pairs.size(),
                driver.get(JAVA_LONG, 0),
                driver.get(JAVA_LONG, 8),
                driver.get(JAVA_INT, 16),
                driver.get(JAVA_INT, 20),
                driver.get(JAVA_INT, 24),
                call.get("qp_type") == UD);
        pairs.add(work);
        watch(call, "qp" + (pairs.size() - 1), work.sends() - work.address() + work.sendBlocks() * 64L, 8);
        CView response = call.response().set("qpn", work.number());
        for (String limit : List.of("send_wr", "recv_wr", "send_sge", "recv_sge", "inline_data")) {
            response.set("max_" + limit, call.get("max_" + limit));
        }
        call.driverOut.set(JAVA_INT, 0, 4 + 3 * ((pairs.size() - 1) % 10));
    }

    /// Watches the buffer and the doorbell record of a new object.
    private void watch(KernelCall call, String name, long bytes, int recordBytes) {
        watch(call.handle(), name + ".buf", at(call.driverIn.get(JAVA_LONG, 0), bytes));
        watch(call.handle(), name + ".db", at(call.driverIn.get(JAVA_LONG, 8), recordBytes));
    }

    @Override
    protected MemorySegment ring(long offset, long length) {
        text.append("map ").append(Long.toHexString(offset / PAGE)).append(' ').append(length).append('\n');
        MemorySegment page = arena.allocate(length, PAGE);
        watch(0, "uar" + pages++, page);
        return page;
    }

    /// Frees the doorbell pages.
    void free() {
        arena.close();
    }
}
