// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.QueuePairState;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/// Writes steps as a program that executes them through the public API, and prints each outcome with the model's: `java
/// --enable-native-access=ALL-UNNAMED -cp 'bundle/target/*' Walk.java`.
final class WalkProgram {
    private static final String HEAD = """
        import io.verbs4j.*;
        import io.verbs4j.types.*;
        import java.lang.foreign.*;
        import java.time.Duration;
        import java.util.concurrent.Callable;
        import java.util.zip.CRC32;

        class End {
            Context context;
            ProtectionDomain domain;
            CompletionChannel channel;
            CompletionQueue sends, receives;
            MemoryRegion[] regions = new MemoryRegion[%1$d];
            MemoryWindow[] windows = new MemoryWindow[2];
            QueuePair queuePair;
            Gid gid;
            int number, life;

            End(String device, int number, String address) {
                this.number = number;
                context = Devices.open(device);
                domain = context.allocateProtectionDomain();
                channel = context.createCompletionChannel();
                sends = queue();
                receives = queue();
        %2$s
                windows[0] = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
                windows[1] = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
                gid = new Gid(0, 0x0000_ffff_0a09_0000L | Integer.parseInt(address));
                create();
            }

            CompletionQueue queue() {
                return context.createCompletionQueue(CompletionQueueOptions.entries(%3$d).withChannel(channel));
            }

            void region(int index, int bytes, int rights) {
                regions[index] = domain.allocate(bytes, Access.of(rights).toArray(Access[]::new));
                int state = (number * %1$d + index) * 0x9e3779b9 + 1; // bytes that differ from place to place
                for (int i = 0; i < bytes; i++) {
                    state = state * 1664525 + 1013904223;
                    regions[index].segment().set(ValueLayout.JAVA_BYTE, i, (byte) (state >>> 24));
                }
            }

            void create() {
                life++;
                queuePair = domain.reliableConnection(sends)
                        .receiveCompletionQueue(receives)
                        .maxSends(%4$d)
                        .maxReceives(%5$d)
                        .maxSendScatterGather(%6$d)
                        .maxReceiveScatterGather(%6$d)
                        .maxInlineData(%7$d)
                        .create();
            }

            int packet() {
                return (number + 1) * 0x1000 + life * 0x4000 & 0xffffff;
            }

            ScatterGatherList list(int... parts) { // region, offset, length, what to spoil the key by
                var list = new ScatterGatherList();
                for (int i = 0; i < parts.length; i += 4) {
                    var region = regions[parts[i]];
                    list.add(region.address() + parts[i + 1], parts[i + 2], region.localKey() ^ parts[i + 3]);
                }
                return list;
            }

            MemorySegment bytes(int region, int offset, int length) {
                return regions[region].segment().asSlice(offset, length);
            }

            RemoteMemory remote(int region, int offset, int length, int key) {
                return new RemoteMemory(regions[region].address() + offset, length, key);
            }

            String take(CompletionQueue queue, int max) {
                var text = new StringBuilder();
                int count = queue.poll(max, completion -> text.append("\\n      ").append(completion));
                return "took " + count + text;
            }

            String show() throws InterruptedException {
                int events = 0;
                while (channel.take(Duration.ZERO) != null) {
                    events++;
                }
                return (queuePair.isClosed() ? "no queue pair" : queuePair.query().state()) + ", " + events + " events";
            }
        }

        End left;
        End right;

        void step(int number, String expected, Callable<?> action) throws InterruptedException {
            Object outcome;
            try {
                outcome = action.call();
            } catch (Exception e) {
                outcome = e;
            }
            Thread.sleep(%8$d); // for the device
            IO.println(number + ": " + outcome + "\\n   expected " + expected);
            IO.println("   left " + left.show() + "; right " + right.show());
        }

        void memory(String name, MemoryRegion region, String expected) {
            var sum = new CRC32();
            sum.update(region.segment().toArray(ValueLayout.JAVA_BYTE));
            IO.println(name + ": checksum " + Long.toHexString(sum.getValue()) + ", expected " + expected);
        }

        void main() throws Exception {
            left = new End("rxe0", 0, "1");
            right = new End("rxe1", 1, "2");
        """;

    private static final String TAIL = """
            left.context.close();
            right.context.close();
        }
        """;

    private final Walk walk;
    private final StringBuilder text = new StringBuilder();

    private WalkProgram(Walk walk) {
        this.walk = walk;
    }

    /// The program of steps that were taken.
    static String of(Walk walk, List<WalkRun.Taken> taken) {
        var program = new WalkProgram(walk);
        var regions = new StringBuilder();
        for (int i = 0; i < Layout.REGIONS.size(); i++) {
            regions.append("        ").append(newRegion(i)).append(i + 1 < Layout.REGIONS.size() ? "\n" : "");
        }
        program.text.append(HEAD.formatted(
                Layout.REGIONS.size(),
                regions,
                Layout.COMPLETIONS,
                Layout.SENDS,
                Layout.RECEIVES,
                Layout.ELEMENTS,
                Layout.INLINE,
                walk.patient() ? 300 : 1000));
        taken.forEach(program::step);
        if (!taken.isEmpty()) {
            program.memory(taken.getLast().after());
        }
        return program.text.append(TAIL).toString();
    }

    private static String newRegion(int index) {
        var region = Layout.REGIONS.get(index);
        return "region(" + index + ", " + region.bytes() + ", " + Layout.knownHere(region.rights()) + ");";
    }

    private void memory(State state) {
        for (int i = 0; i < state.memory().length; i++) {
            Side side = Side.values()[i / Layout.REGIONS.size()];
            int region = i % Layout.REGIONS.size();
            var sum = new CRC32();
            sum.update(state.memory()[i]);
            text.append("    memory(\"%1$s region %2$d\", %1$s.regions[%2$d], \"%3$x\");\n"
                    .formatted(side.text(), region, sum.getValue()));
        }
    }

    private void step(WalkRun.Taken taken) {
        text.append("    step(%d, \"%s\", () -> {\n".formatted(taken.index(), taken.outcome()));
        String end = taken.step().side().text();
        switch (taken.step()) {
            case Step.Modify modify -> modify(modify);
            case Step.Send send -> {
                int[] before = lastRegions[send.side().ordinal()].clone();
                send(taken.index(), send);
                if (taken.outcome().refusal()) {
                    lastRegions[send.side().ordinal()] = before; // the batch was abandoned
                }
            }
            case Step.Receive receive -> receive(taken.index(), receive);
            case Step.Poll poll -> line("return %s.take(%s, %d);"
                    .formatted(end, queue(end, poll.queue()), poll.max()));
            case Step.Arm arm -> done("%s.requestNotification(%b);"
                    .formatted(queue(end, arm.queue()), arm.solicitedOnly()));
            case Step.Resize resize -> done("%s.resize(%d);".formatted(queue(end, resize.queue()), resize.entries()));
            case Step.RenewQueue renewal -> {
                line(queue(end, renewal.queue()) + ".close();");
                done(queue(end, renewal.queue()) + " = " + end + ".queue();");
            }
            case Step.RenewRegion renewal -> {
                line("%s.regions[%d].close();".formatted(end, renewal.region()));
                done(end + "." + newRegion(renewal.region()));
            }
            case Step.RenewWindow renewal -> {
                line("%s.windows[%d].close();".formatted(end, renewal.window()));
                done("%1$s.windows[%2$d] = %1$s.domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_%3$d);"
                        .formatted(end, renewal.window(), renewal.window() + 1));
            }
            case Step.CloseQueuePair _ -> done(end + ".queuePair.close();");
            case Step.CreateQueuePair _ -> done("if (%1$s.queuePair.isClosed()) %1$s.create();".formatted(end));
            case Step.Connect _ -> throw new IllegalArgumentException("written out before");
        }
        text.append("    });\n");
    }

    private void line(String line) {
        text.append("        ").append(line).append('\n');
    }

    private void done(String line) {
        line(line);
        line("return \"done\";");
    }

    private static String queue(String end, Queue queue) {
        return end + "." + queue.text();
    }

    private void modify(Step.Modify modify) {
        String end = modify.side().text();
        String peer = modify.side().peer().text();
        var attributes =
                new StringBuilder("QueuePairAttributes.builder().state(QueuePairState." + modify.state() + ")");
        if (modify.attributes() == Step.Attributes.FOREIGN) {
            attributes.append(".qkey(0x1234)");
        }
        if (modify.attributes() != Step.Attributes.MISSING) {
            attributes.append(switch (modify.state()) {
                case INIT -> ".pkeyIndex(0).port(1).accessFlags(%d)".formatted(Layout.knownHere(modify.rights()));
                case RTR -> (".addressVector(AddressVector.roce(1, 1, %1$s.gid)).pathMtu(Mtu.MTU_1024)"
                        + ".destinationQueuePairNumber(%1$s.queuePair.number()).receivePsn(%1$s.packet())"
                        + ".maxDestinationReadAtomic(16).minRnrTimer(1)").formatted(peer);
                case RTS -> (".sendPsn(%s.packet()).timeout(%d).retryCount(%d).rnrRetry(0)"
                        + ".maxReadAtomic(16)").formatted(
                                end,
                                walk.patient() ? Layout.PATIENT_TIMEOUT : Layout.TIMEOUT,
                                Layout.RETRIES);
                default -> "";
            });
        }
        line(end + ".queuePair.modify(" + attributes + ".build());");
        if (modify.state() == QueuePairState.RESET) {
            line(end + ".life++;");
        }
        line("return \"done\";");
    }

    private void send(int index, Step.Send send) {
        line("try (var batch = %s.queuePair.beginSend()) {".formatted(send.side().text()));
        for (int i = 0; i < send.requests().size(); i++) {
            line("    " + request(WalkDevice.id(index, i), send.side(), send.requests().get(i)));
        }
        line("    return \"posted \" + batch.submit();");
        line("}");
    }

    private String request(long id, Side side, SendRequest request) {
        String end = side.text();
        String peer = side.peer().text();
        Target target = request.target();
        int value = request.value();
        String flags = "batch.workRequestId(" + id + ")"
                + (request.signaled() ? ".signaled()" : "")
                + (request.solicited() ? ".solicited()" : "")
                + (request.fenced() ? ".fence()" : "");
        String data = request.inline()
                ? ".inline(%s)".formatted(bytes(end, request.parts().getFirst()))
                : ".local(%s)".formatted(list(end, request.parts()));
        return flags + switch (request.operation()) {
            case SEND -> ".send()" + data;
            case SEND_WITH_IMMEDIATE -> ".send().immediate(%d)".formatted(value) + data;
            case SEND_WITH_INVALIDATE -> ".send().invalidating(%s)".formatted(key(peer, target)) + data;
            case RDMA_WRITE -> ".write()" + data + remote(side.peer(), target, request.length());
            case RDMA_WRITE_WITH_IMMEDIATE ->
                ".write().immediate(%d)".formatted(value) + data + remote(side.peer(), target, request.length());
            case RDMA_READ -> ".read()" + data + remote(side.peer(), target, request.length());
            case COMPARE_AND_SWAP -> ".compareAndSwap(%dL, %dL)".formatted(request.expected(), value)
                    + place(end, request) + remote(side.peer(), target, Long.BYTES);
            case FETCH_AND_ADD ->
                ".fetchAndAdd(%dL)".formatted(value) + place(end, request) + remote(side.peer(), target, Long.BYTES);
            case ATOMIC_WRITE -> ".atomicWrite(%dL)".formatted(value) + remote(side.peer(), target, Long.BYTES);
            case FLUSH -> ".flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.%s)".formatted(request.flushLevel())
                    + remote(side.peer(), target, request.length());
            case LOCAL_INVALIDATE -> ".invalidate(%s)".formatted(key(end, target));
            case BIND -> {
                Part part = request.parts().getFirst();
                lastRegions[side.ordinal()][target.number()] = part.region();
                yield ".bind(%1$s.windows[%2$d], %3$d).local(%1$s.regions[%4$d], %5$d, %6$d)".formatted(
                        end, target.number(), value, part.region(), part.offset(), part.length());
            }
        } + ".post();";
    }

    /// The region that each window was last bound to.
    private final int[][] lastRegions = new int[2][Layout.WINDOWS];

    private static String place(String end, SendRequest request) {
        Part part = request.parts().getFirst();
        return ".local(%s.regions[%d], %d, Long.BYTES)".formatted(end, part.region(), part.offset());
    }

    private static String bytes(String end, Part part) {
        return "%s.bytes(%d, %d, %d)".formatted(end, part.region(), part.offset(), part.length());
    }

    private static String list(String end, List<Part> parts) {
        return end + ".list(" + parts.stream()
                .map(part -> "%d, %d, %d, %d".formatted(
                        part.region(), part.offset(), part.length(), part.wrongKey() ? RxeEnd.WRONG : 0))
                .collect(Collectors.joining(", ")) + ")";
    }

    private static String key(String end, Target target) {
        String key = "%s.%s[%d].remoteKey()".formatted(end, target.window() ? "windows" : "regions", target.number());
        return target.wrongKey() ? key + " ^ " + RxeEnd.WRONG : key;
    }

    private String remote(Side side, Target target, int length) {
        int region = target.window() ? lastRegions[side.ordinal()][target.number()] : target.number();
        return ".remote(%s.remote(%d, %d, %d, %s))"
                .formatted(side.text(), region, target.offset(), length, key(side.text(), target));
    }

    private void receive(int index, Step.Receive receive) {
        line("try (var batch = %s.queuePair.beginReceive()) {".formatted(receive.side().text()));
        for (int i = 0; i < receive.receives().size(); i++) {
            line("    batch.workRequestId(%d).receive(%s);".formatted(
                    WalkDevice.id(index, i),
                    list(receive.side().text(), receive.receives().get(i))));
        }
        line("    return \"posted \" + batch.submit();");
        line("}");
    }
}
