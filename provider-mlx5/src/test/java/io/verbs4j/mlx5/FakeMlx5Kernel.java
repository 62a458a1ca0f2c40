// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsExQueryDeviceResp;
import io.verbs4j.abi.uapi.IbUverbsModifyQp;
import io.verbs4j.abi.uapi.IbUverbsQueryPortResp;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// The kernel of `mlx5_ib` for this provider. Its output equals that of `src/test/oracle/kernel.c` for libmlx5, line by
/// line. It reads requests by `write()`, and queue memory by the addresses in them.
final class FakeMlx5Kernel implements DeviceFile {
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
    private int handles;
    private int windows;
    private int handlesOfAddresses;
    private int pages;
    private boolean printing;
    private int untilFailure;

    /// Limits of the device that differ from the usual ones, by C field names.
    final Map<String, Integer> limits = new HashMap<>();
    /// Whether the device marks the end of a ring that is resized.
    boolean marksResizes = true;
    /// Names of the commands, with the numbers that matter to a test.
    final List<String> commands = new ArrayList<>();
    /// Open files of events.
    final Set<Integer> eventFiles = new HashSet<>();

    int vendorPart = 4119;
    int completionVersion;

    /// @param text receives all output
    FakeMlx5Kernel(StringBuilder text, int sharedLimit) {
        this.text = text;
        this.sharedLimit = sharedLimit;
    }

    void print(boolean on) {
        printing = on;
    }

    /// Makes the n-th call from now on fail with `ENOMEM`; 0 for none.
    void failCall(int nth) {
        untilFailure = nth;
    }

    /// Returns whether the failure that [#failCall] scheduled has not occurred yet.
    boolean failureIsToCome() {
        return untilFailure > 0;
    }

    private boolean fails() {
        return untilFailure > 0 && --untilFailure == 0;
    }

    /// Returns the names of queue memory that the device still uses.
    List<String> left() {
        return areas.stream().filter(area -> area.handle != 0).map(area -> area.name).toList();
    }

    /// Returns a copy of all queue memory and doorbell records.
    byte[] memory() {
        var all = new ByteArrayOutputStream();
        areas.forEach(area -> all.writeBytes(area.memory.toArray(JAVA_BYTE)));
        return all.toByteArray();
    }

    @SuppressWarnings("restricted")
    static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
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

    private void print(int command, MemorySegment core, int user, int driver, int buffers) {
        if (!printing) {
            return;
        }
        text.append("command ").append(command).append(' ');
        byte[] bytes = core.toArray(JAVA_BYTE);
        for (int i = 8; i < bytes.length; i += 8) {
            if (user != 0 && i == user) {
                text.append(" user");
            } else if (buffers > 0 && i == driver) {
                text.append(" buf");
            } else if (buffers > 1 && i == driver + 8) {
                text.append(" db");
            } else {
                text.append(' ').append(HexFormat.of().formatHex(bytes, i, Math.min(i + 8, bytes.length)));
            }
        }
        text.append('\n');
    }

    @Override
    public int ioctl(MemorySegment command) {
        return -Errno.ENOTTY;
    }

    @Override
    public int write(MemorySegment command) {
        int number = command.get(JAVA_INT, 0);
        if (fails()) {
            return -Errno.ENOMEM;
        }
        boolean extended = number < 0;
        MemorySegment core = command.asSlice(8);
        int room = command.get(JAVA_SHORT, 6) * 4;
        if (extended) {
            queryDevice(at(core.get(JAVA_LONG, 0), command.get(JAVA_SHORT, 6) * 8L));
            return (int) command.byteSize();
        }
        MemorySegment answer = room == 0 ? MemorySegment.NULL : at(core.get(JAVA_LONG, 0), room);
        int result = answer(CommandCatalogue.write(number).orElseThrow(), core, answer);
        return result < 0 ? result : (int) command.byteSize();
    }

    private void queryDevice(MemorySegment answer) {
        var view = IbUverbsExQueryDeviceResp.STRUCT.view(answer);
        view.set("response_length", answer.byteSize())
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

    private int answer(IbUserVerbsCmd command, MemorySegment core, MemorySegment answer) {
        commands.add(command.name());
        switch (command.name()) {
            case "MODIFY_SRQ" ->
                commands.add(IntStream.range(0, 4).mapToObj(i -> core.get(JAVA_INT, 4L * i)).toList().toString());
            case "QUERY_SRQ" -> {
                answer.set(JAVA_INT, 0, 99);
                answer.set(JAVA_INT, 4, 3);
                answer.set(JAVA_INT, 8, 2);
            }
            case "GET_CONTEXT" -> context(core, answer);
            case "QUERY_PORT" -> {
                var port = IbUverbsQueryPortResp.STRUCT.view(answer);
                port.set("state", 4)
                        .set("max_mtu", 5)
                        .set("active_mtu", 3)
                        .set("gid_tbl_len", 1)
                        .set("pkey_tbl_len", 1)
                        .set("max_msg_sz", 1 << 30)
                        .set("link_layer", 2);
            }
            case "ALLOC_PD" -> {
                answer.set(JAVA_INT, 0, ++handles);
                answer.set(JAVA_INT, 4, 0x42);
            }
            case "CREATE_COMP_CHANNEL" -> answer.set(JAVA_INT, 0, 77);
            case "ALLOC_MW" -> {
                answer.set(JAVA_INT, 0, ++handles);
                answer.set(JAVA_INT, 4, 0x5000 + (windows++ << 8));
            }
            case "CREATE_AH" -> {
                print(5, core, 8, 0, 0);
                answer.set(JAVA_INT, 0, ++handles);
                for (int i = 0; i < 6; i++) {
                    answer.set(JAVA_BYTE, 8 + i, (byte) (0x20 + handlesOfAddresses + i));
                }
                handlesOfAddresses++;
            }
            case "CREATE_CQ" -> createQueue(core, answer);
            case "RESIZE_CQ" -> resize(core, answer);
            case "CREATE_SRQ" -> createShared(core, answer);
            case "CREATE_QP" -> createPair(core, answer);
            case "MODIFY_QP" -> {
                var request = IbUverbsModifyQp.STRUCT.view(core);
                if (printing) {
                    text.append("command 26 state ").append(request.getInt("qp_state")).append('\n');
                }
            }
            case "DESTROY_CQ", "DESTROY_QP", "DESTROY_SRQ" -> forget(core.get(JAVA_INT, 8), "");
            case "DESTROY_AH", "DEALLOC_PD", "DEALLOC_MW" -> {}
            default -> {
                return -Errno.EOPNOTSUPP;
            }
        }
        return 0;
    }

    private void context(MemorySegment core, MemorySegment answer) {
        int registers = core.get(JAVA_INT, 8);
        answer.set(JAVA_INT, 0, 76);
        answer.set(JAVA_INT, 4, 4);
        CommandStructs.CONTEXT_ANSWER
                .view(answer.asSlice(8))
                .set("bf_reg_size", 512)
                .set("tot_bfregs", registers)
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

    private void createQueue(MemorySegment core, MemorySegment answer) {
        int entries = core.get(JAVA_INT, 16) + 1;
        print(18, core, 8, 32, 2);
        long buffer = core.get(JAVA_LONG, 32);
        queues.add(new Queue(++handles, entries, buffer));
        String name = "cq" + (queues.size() - 1);
        watch(handles, name + ".buf", at(buffer, (long) entries * SLOT));
        watch(handles, name + ".db", at(core.get(JAVA_LONG, 40), 8));
        answer.set(JAVA_INT, 0, handles);
        answer.set(JAVA_INT, 4, entries - 1);
        answer.set(JAVA_INT, 8, 0x70 + queues.size() - 1);
    }

    private void resize(MemorySegment core, MemorySegment answer) {
        print(19, core, 0, 16, 1);
        int handle = core.get(JAVA_INT, 8);
        Queue queue = queues.stream().filter(each -> each.handle == handle).findFirst().orElseThrow();
        if (marksResizes) {
            byte[] mark = new byte[SLOT];
            mark[SLOT - 1] = RESIZED << 4;
            queue.put(mark);
        }
        queue.buffer = core.get(JAVA_LONG, 16);
        queue.entries = core.get(JAVA_INT, 12) + 1;
        forget(handle, ".buf");
        watch(handle, "cq" + queues.indexOf(queue) + ".buf", at(queue.buffer, (long) queue.entries * SLOT));
        answer.set(JAVA_INT, 0, queue.entries - 1);
    }

    private void createShared(MemorySegment core, MemorySegment answer) {
        print(32, core, 8, 32, 2);
        int last = core.get(JAVA_INT, 20);
        int elements = core.get(JAVA_INT, 24);
        int shift = 5;
        while (1 << shift < 16 + 16 * elements) {
            shift++;
        }
        long buffer = core.get(JAVA_LONG, 32);
        long record = core.get(JAVA_LONG, 40);
        shared.add(new Work(0x90 + shared.size(), buffer, record, 0, last + 1, shift, false));
        String name = "srq" + (shared.size() - 1);
        watch(++handles, name + ".buf", at(buffer, (long) (last + 1) << shift));
        watch(handles, name + ".db", at(record, 4));
        answer.set(JAVA_INT, 0, handles);
        answer.set(JAVA_INT, 4, last);
        answer.set(JAVA_INT, 8, elements);
        answer.set(JAVA_INT, 16, 0x90 + shared.size() - 1);
    }

    private void createPair(MemorySegment core, MemorySegment answer) {
        print(24, core, 8, 56, 2);
        long buffer = core.get(JAVA_LONG, 56);
        long record = core.get(JAVA_LONG, 64);
        int blocks = core.get(JAVA_INT, 72);
        int receives = core.get(JAVA_INT, 76);
        int shift = core.get(JAVA_INT, 80);
        var work =
                new Work(0x120 + pairs.size(), buffer, record, blocks, receives, shift, core.get(JAVA_BYTE, 53) == UD);
        pairs.add(work);
        String name = "qp" + (pairs.size() - 1);
        watch(++handles, name + ".buf", at(buffer, ((long) receives << shift) + blocks * 64L));
        watch(handles, name + ".db", at(record, 8));
        answer.set(JAVA_INT, 0, handles);
        answer.set(JAVA_INT, 4, work.number());
        MemorySegment.copy(core, 32, answer, 8, 20);
        answer.set(JAVA_INT, 32, 4 + 3 * ((pairs.size() - 1) % 10));
    }

    @Override
    public MemorySegment map(long offset, long length) {
        if (fails()) {
            throw new VerbsException("map doorbell page", Errno.ENOMEM, "");
        }
        text.append("map ").append(Long.toHexString(offset / PAGE)).append(' ').append(length).append('\n');
        MemorySegment page = arena.allocate(length, PAGE);
        watch(0, "uar" + pages++, page);
        return page;
    }

    @Override
    public void unmap(MemorySegment ring) {}

    @Override
    public EventFile eventFile(int fileDescriptor) {
        eventFiles.add(fileDescriptor);
        return new NoEvents(fileDescriptor, eventFiles);
    }

    @Override
    public int fileDescriptor() {
        return 3;
    }

    @Override
    public int await(long timeoutNanos) {
        return 0;
    }

    @Override
    public void wake() {}

    @Override
    public void close() {}

    /// Frees the doorbell pages.
    void free() {
        arena.close();
    }

    /// A file on which no event ever arrives.
    private record NoEvents(int fileDescriptor, Set<Integer> open) implements EventFile {
        @Override
        public int read(MemorySegment record) {
            return -Errno.EAGAIN;
        }

        @Override
        public int await(long timeoutNanos) {
            return 0;
        }

        @Override
        public void wake() {}

        @Override
        public void close() {
            open.remove(fileDescriptor);
        }
    }
}
