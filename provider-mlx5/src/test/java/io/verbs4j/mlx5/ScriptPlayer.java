// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderMemoryWindow;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs the steps of a script on this provider, and prints the output of `src/test/oracle/player.c`.
final class ScriptPlayer {
    private static final List<QueuePairType> TYPES = List.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD);

    final StringBuilder text = new StringBuilder();
    final List<ProviderCompletionQueue> queues = new ArrayList<>();
    final List<ProviderSharedReceiveQueue> shared = new ArrayList<>();
    final List<@Nullable ProviderQueuePair> pairs = new ArrayList<>();
    private final List<Mlx5CompletionQueue[]> queuesOfPairs = new ArrayList<>();
    private final List<ProviderAddressHandle> addresses = new ArrayList<>();
    private final List<ProviderMemoryWindow> windows = new ArrayList<>();
    private final Completion completion = new Completion();
    private @Nullable FakeMlx5Kernel kernel;
    private @Nullable Mlx5Context context;
    private @Nullable ProviderProtectionDomain domain;
    private String[] words = {};
    private int word;

    FakeMlx5Kernel kernel() {
        return Objects.requireNonNull(kernel);
    }

    private Mlx5Context context() {
        return Objects.requireNonNull(context);
    }

    private ProviderProtectionDomain domain() {
        return Objects.requireNonNull(domain);
    }

    private void words(String line) {
        words = line.split(" ");
        word = 0;
    }

    private long number() {
        String text = words[word++];
        return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
    }

    private int integer() {
        return (int) number();
    }

    /// Runs one step.
    ///
    /// @param lines its first line, and one for each work request
    void step(List<String> lines) {
        words(lines.getFirst());
        switch (words[word++]) {
            case "device" -> open(integer());
            case "cq" -> createQueue();
            case "srq" -> createShared();
            case "qp" -> createPair();
            case "ah" -> createAddress();
            case "mw" -> {
                word++;
                windows.add(context().allocateMemoryWindow(domain(), integer()));
            }
            case "state" -> modify();
            case "send" -> send(lines);
            case "recv" -> receive(Objects.requireNonNull(pair(integer()).receiveOps()), lines);
            case "srecv" -> receive(shared.get(integer()).receiveOps(), lines);
            case "cqe" -> kernel().queues.get(integer()).put(HexFormat.of().parseHex(words[word]));
            case "poll" -> poll(queues.get(integer()), integer());
            case "arm" -> queues.get(integer()).requestNotification(number() != 0);
            case "event" -> queues.get(integer()).eventTaken();
            case "resize" -> {
                ProviderCompletionQueue queue = queues.get(integer());
                queue.resize(integer());
                text.append("cq ").append(queue.capacity()).append('\n');
            }
            case "drop" -> drop(integer());
            default -> throw new IllegalArgumentException(lines.getFirst());
        }
        kernel().show();
    }

    private ProviderQueuePair pair(int index) {
        return Objects.requireNonNull(pairs.get(index));
    }

    private void open(int sharedLimit) {
        text.append("device\n");
        kernel = new FakeMlx5Kernel(text, sharedLimit);
        context = Mlx5Context.open(CommandChannel.open(kernel, 1, "mlx5_0", 1, Transport.WRITE));
        domain = context.allocateProtectionDomain();
        kernel.print(true);
    }

    /// Releases everything.
    void close() {
        if (context != null) {
            kernel().print(false);
            pairs.stream().filter(Objects::nonNull).forEach(ProviderQueuePair::destroy);
            shared.forEach(ProviderSharedReceiveQueue::destroy);
            queues.forEach(ProviderCompletionQueue::destroy);
            context.close();
            kernel().free();
        }
    }

    private void createQueue() {
        word++;
        var channel = kernel().eventFile(0);
        var queue = context().createCompletionQueue(new CompletionQueueRequest(integer(), 1, channel, 0));
        queues.add(queue);
        text.append("cq ").append(queue.capacity()).append('\n');
    }

    private void createShared() {
        word++;
        var queue = context().createSharedReceiveQueue(
                new SharedReceiveQueueRequest(domain(), 1, integer(), integer(), 0));
        shared.add(queue);
        text.append("srq ")
                .append(queue.receiveOps().capacity())
                .append(" elements ")
                .append(queue.receiveOps().maxScatterGather())
                .append('\n');
    }

    private void createPair() {
        word++;
        QueuePairType type = TYPES.get(integer());
        ProviderCompletionQueue sends = queues.get(integer());
        ProviderCompletionQueue receives = queues.get(integer());
        int srq = integer();
        int sendRequests = integer();
        int receiveRequests = integer();
        int sendElements = integer();
        int receiveElements = integer();
        var wanted = new QueuePairCapabilities(
                sendRequests, receiveRequests, sendElements, receiveElements, integer());
        var pair = context().createQueuePair(new QueuePairRequest(
                domain(), type, sends, receives, srq < 0 ? null : shared.get(srq), wanted, number() != 0, 1));
        pairs.add(pair);
        queuesOfPairs.add(new Mlx5CompletionQueue[]{(Mlx5CompletionQueue) sends, (Mlx5CompletionQueue) receives});
        QueuePairCapabilities given = pair.capabilities();
        text.append(String.format(
                "qp send %d receive %d elements %d %d inline %d%n",
                given.maxSendWorkRequests(),
                given.maxReceiveWorkRequests(),
                given.maxSendScatterGather(),
                given.maxReceiveScatterGather(),
                given.maxInlineData()));
    }

    private void createAddress() {
        word++;
        int source = integer();
        int label = integer();
        int hops = integer();
        int trafficClass = integer();
        int level = integer();
        var gid = new Gid(number(), number());
        addresses.add(context().createAddressHandle(
                domain(), new AddressVector(gid, source, label, hops, trafficClass, level, 1, 0)));
    }

    private void modify() {
        int index = integer();
        QueuePairState state = QueuePairState.values()[integer()];
        pair(index).modify(QueuePairAttributes.builder().state(state).build());
        if (state == QueuePairState.RESET) {
            forget(index);
        }
    }

    private void drop(int index) {
        pair(index).destroy();
        forget(index);
        pairs.set(index, null);
    }

    private void forget(int index) {
        Mlx5CompletionQueue[] both = queuesOfPairs.get(index);
        ProviderQueuePair pair = pair(index);
        both[1].forget(pair);
        if (both[0] != both[1]) {
            both[0].forget(pair);
        }
    }

    private void send(List<String> lines) {
        SendQueueOps ops = pair(integer()).sendOps();
        ops.begin();
        for (String line : lines.subList(1, lines.size())) {
            words(line);
            if (post(ops) != PostResult.POSTED) {
                break;
            }
        }
        text.append("posted ").append(ops.publish()).append('\n');
        ops.doorbell();
    }

    private int post(SendQueueOps ops) {
        char kind = words[word++].charAt(0);
        int opcode = kind == 'l' || kind == 'b' ? 0 : integer();
        long id = number();
        int flags = integer();
        return switch (kind) {
            case 'w' -> {
                long remote = number();
                int rkey = integer();
                int data = integer();
                ScatterGatherList list = elements();
                yield list.size() == 1
                        ? ops.post(SendRequest.of(id, flags)
                                .operation(opcode)
                                .immediateDataOrKey(data)
                                .remote(remote, rkey), list.address(0),
                                list.length(0), list.lkey(0))
                        : ops.post(SendRequest.of(id, flags)
                                .operation(opcode)
                                .immediateDataOrKey(data)
                                .remote(remote, rkey), list);
            }
            case 'i' -> {
                long remote = number();
                int rkey = integer();
                int data = integer();
                MemorySegment payload = payload();
                yield ops.postInline(SendRequest.of(id, flags)
                        .operation(opcode)
                        .immediateDataOrKey(data)
                        .remote(remote, rkey), payload, 0,
                        (int) payload.byteSize());
            }
            case 'd' -> {
                ProviderAddressHandle handle = addresses.get(integer());
                int number = integer();
                int qkey = integer();
                int data = integer();
                ScatterGatherList list = elements();
                yield list.size() == 1
                        ? ops.post(
                                SendRequest.of(id, flags)
                                        .operation(opcode)
                                        .immediateDataOrKey(data)
                                        .to(handle, number, qkey),
                                list.address(0), list.length(0), list.lkey(0))
                        : ops.post(SendRequest.of(id, flags)
                                .operation(opcode)
                                .immediateDataOrKey(data)
                                .to(handle, number, qkey), list);
            }
            case 'e' -> {
                ProviderAddressHandle handle = addresses.get(integer());
                int number = integer();
                int qkey = integer();
                int data = integer();
                MemorySegment payload = payload();
                yield ops.postInline(
                        SendRequest.of(id, flags).operation(opcode).immediateDataOrKey(data).to(handle, number, qkey),
                        payload,
                        0, (int) payload.byteSize());
            }
            case 'a' -> {
                long address = number();
                int lkey = integer();
                long remote = number();
                int rkey = integer();
                yield ops.post(SendRequest.of(id, flags)
                        .operation(opcode)
                        .remote(remote, rkey)
                        .operands(number(), number()), address,
                        Long.BYTES, lkey);
            }
            case 'l' -> ops.post(SendRequest.of(id, flags)
                    .operation(WorkRequestOpcode.LOCAL_INVALIDATE)
                    .immediateDataOrKey(integer()));
            case 'b' -> {
                int current = windows.get(integer()).rkey();
                int key = integer();
                int region = integer();
                yield ops.post(SendRequest.of(id, flags)
                        .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                        .immediateDataOrKey(current)
                        .window(key, region, number(), number())
                        .access(integer()));
            }
            default -> throw new IllegalArgumentException(String.join(" ", words));
        };
    }

    private ScatterGatherList elements() {
        var list = new ScatterGatherList();
        for (int left = integer(); left > 0; left--) {
            list.add(number(), integer(), integer());
        }
        return list;
    }

    private MemorySegment payload() {
        var bytes = new byte[integer()];
        int seed = integer();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (seed + 7 * i);
        }
        return MemorySegment.ofArray(bytes);
    }

    private void receive(ReceiveQueueOps ops, List<String> lines) {
        ops.begin();
        for (String line : lines.subList(1, lines.size())) {
            words(line);
            word++;
            long id = number();
            ScatterGatherList list = elements();
            int result = list.size() == 1
                    ? ops.receive(id, list.address(0), list.length(0), list.lkey(0))
                    : ops.receive(id, list);
            if (result != PostResult.POSTED) {
                break;
            }
        }
        text.append("posted ").append(ops.publish()).append('\n');
    }

    private void poll(ProviderCompletionQueue queue, int limit) {
        if (queue.begin() != 0) {
            for (int left = limit; left > 0 && queue.next(completion); left--) {
                print();
            }
        }
        queue.end();
    }

    private void print() {
        text.append(String.format(
                "wc %x status %d qp %x",
                completion.workRequestId(), completion.status(), completion.queuePairNumber()));
        if (completion.status() != 0) {
            text.append(String.format(" vendor %x%n", completion.vendorError()));
            return;
        }
        int opcode = completion.opcode();
        text.append(" opcode ").append(opcode);
        if ((opcode & 128) != 0) {
            int flags = completion.flags();
            // libibverbs and the kernel have different bits for the invalidated key.
            int theirs = (flags & 3) | ((flags & Completion.WITH_INVALIDATE) != 0 ? 8 : 0);
            text.append(String.format(
                    " bytes %d flags %d source %x pkey %d lid %d sl %d path %d",
                    Integer.toUnsignedLong(completion.byteLength()),
                    theirs,
                    completion.sourceQueuePair(),
                    completion.pkeyIndex(),
                    completion.sourceLid(),
                    completion.serviceLevel(),
                    completion.pathBits()));
            if ((flags & Completion.WITH_IMMEDIATE) != 0) {
                text.append(String.format(" immediate %x", completion.immediateDataOrKey()));
            }
            if ((flags & Completion.WITH_INVALIDATE) != 0) {
                text.append(String.format(" key %x", completion.immediateDataOrKey()));
            }
        } else if (opcode >= 2 && opcode <= 4) {
            text.append(" bytes ").append(Integer.toUnsignedLong(completion.byteLength()));
        }
        text.append('\n');
    }
}
