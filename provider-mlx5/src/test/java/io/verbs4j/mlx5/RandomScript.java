// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/// Generates a script from a seed while it runs it on this provider. The work that the device completes is found in
/// queue memory.
final class RandomScript {
    private static final int[] CONNECTED = {0, 1, 2, 3, 4, 9};
    private static final int[] SYNDROMES = {1, 2, 4, 5, 6, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x22, 0x37};

    /// Describes what the device has seen of a queue pair.
    private static final class Pair {
        final QueuePairType type;
        final int sends;
        final int receives;
        final int shared;
        final int elements;
        final int receiveElements;
        final int inline;
        int taken;
        int received;
        boolean alive = true;

        Pair(QueuePairType type, int sends, int receives, int shared, int elements, int receiveElements, int inline) {
            this.type = type;
            this.sends = sends;
            this.receives = receives;
            this.shared = shared;
            this.elements = elements;
            this.receiveElements = receiveElements;
            this.inline = inline;
        }
    }

    private final Random random;
    private final ScriptPlayer player = new ScriptPlayer();
    private final StringBuilder script = new StringBuilder();
    private final List<Pair> pairs = new ArrayList<>();
    private final List<Integer> waiting = new ArrayList<>();
    private final List<Integer> fetched = new ArrayList<>();
    private int sharedElements;
    private int sharedNext;
    private int sharedTaken;
    private long identifiers;

    RandomScript(long seed) {
        random = new Random(seed);
    }

    String script() {
        return script.toString();
    }

    String output() {
        return player.text.toString().replace(System.lineSeparator(), "\n");
    }

    void close() {
        player.close();
    }

    private void step(String... lines) {
        for (String line : lines) {
            script.append(line).append('\n');
        }
        player.step(List.of(lines));
    }

    private int below(int bound) {
        return random.nextInt(bound);
    }

    /// Runs any steps.
    RandomScript any(int steps) {
        // If the device supports few shared receives, libmlx5 creates one list of them, otherwise two.
        boolean two = random.nextBoolean();
        step("device " + (two ? 32767 : 9));
        int queues = 1 + below(2);
        for (int i = 0; i < queues; i++) {
            step("cq " + i + " " + (4 + below(28)));
            waiting.add(0);
        }
        sharedElements = 1 + below(5);
        step("srq 0 " + (4 + below(4)) + " " + sharedElements);
        step("ah 0 0 " + (1 + below(0xfffff)) + " " + below(256) + " " + below(256) + " " + below(8)
                + " 0x"
                + Long.toHexString(random.nextLong()) + " 0x" + Long.toHexString(random.nextLong()));
        step("mw 0 1");
        step("mw 1 2");
        for (int i = 1 + below(4); i > 0; i--) {
            createPair(queues);
        }
        for (int i = 0; i < steps; i++) {
            anyStep();
        }
        return this;
    }

    /// Makes the counters of both queues exceed 2 to the 16th.
    RandomScript overflow() {
        step("device 9");
        step("cq 0 63");
        waiting.add(0);
        addPair(QueuePairType.RC, 0, 0, -1, 16, 64, 40, 1, 800, 0);
        Pair pair = pairs.getFirst();
        while (pair.taken < 1 << 16 || pair.received < 1 << 16) {
            var lines = new ArrayList<>(List.of("send 0 9"));
            for (int i = 0; i < 9; i++) {
                lines.add("i 0 " + identifiers++ + " 2 4096 1 0 " + (700 + below(100)) + " " + below(256));
            }
            step(lines.toArray(String[]::new));
            receives("recv 0", 50, 1);
            complete(0, pair);
            for (int i = 0; i < 50; i++) {
                deliver(0, pair, 2);
            }
            poll(0, 60);
        }
        return this;
    }

    private void createPair(int queues) {
        var type = List.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD).get(below(3));
        boolean big = below(4) == 0;
        int elements = 1 + below(big ? 50 : 4);
        int inline = below(3) == 0 ? 0 : below(big ? 800 : 100);
        int shared = below(3) == 0 ? 0 : -1;
        addPair(
                type,
                below(queues),
                below(queues),
                shared,
                1 + below(12),
                1 + below(12),
                elements,
                1 + below(5),
                inline,
                below(4) == 0 ? 1 : 0);
    }

    private void addPair(
            QueuePairType type,
            int sends,
            int receives,
            int shared,
            int sendRequests,
            int receiveRequests,
            int elements,
            int receiveElements,
            int inline,
            int all) {
        int index = pairs.size();
        int kind = type == QueuePairType.RC ? 0 : type == QueuePairType.UC ? 1 : 2;
        // With a shared queue, the numbers of receives are unused.
        step("qp " + index + " " + kind + " " + sends + " " + receives + " " + shared + " " + sendRequests + " "
                + (shared < 0 ? receiveRequests : 0) + " " + elements + " " + (shared < 0 ? receiveElements : 0) + " "
                + inline + " " + all);
        int given = player.pairs.get(index).capabilities().maxInlineData();
        pairs.add(new Pair(type, sends, receives, shared, elements, receiveElements, given));
        step("state " + index + " 1");
        step("state " + index + " 2");
        step("state " + index + " 3");
    }

    private void anyStep() {
        int index = below(pairs.size());
        Pair pair = pairs.get(index);
        int kind = below(100);
        if (!pair.alive || kind < 20) {
            int queue = below(waiting.size());
            poll(queue, 1 + below(8));
        } else if (kind < 45) {
            sends(index, pair);
        } else if (kind < 55) {
            if (pair.shared < 0) {
                receives("recv " + index, 1 + below(6), pair.receiveElements);
            } else {
                receives("srecv 0", 1 + below(6), sharedElements);
            }
        } else if (kind < 75) {
            complete(index, pair);
        } else if (kind < 88) {
            deliver(index, pair, 0);
        } else if (kind < 92) {
            int queue = below(waiting.size());
            step("arm " + queue + " " + below(2));
            if (random.nextBoolean()) {
                step("event " + queue);
            }
        } else if (kind < 95) {
            int queue = below(waiting.size());
            step("resize " + queue + " " + (waiting.get(queue) + 2 + below(60)));
        } else if (kind < 98) {
            step("state " + index + " 0");
            pair.taken = 0;
            pair.received = 0;
            for (int state = 1; state <= 3; state++) {
                step("state " + index + " " + state);
            }
        } else {
            step("drop " + index);
            pair.alive = false;
        }
    }

    private void poll(int queue, int limit) {
        step("poll " + queue + " " + limit);
        waiting.set(queue, Math.max(waiting.get(queue) - limit, 0));
    }

    private void sends(int index, Pair pair) {
        int count = 1 + below(5);
        var lines = new ArrayList<>(List.of("send " + index + " " + count));
        for (int i = 0; i < count; i++) {
            lines.add(pair.type == QueuePairType.UD ? datagram(pair) : connected(pair));
        }
        step(lines.toArray(String[]::new));
    }

    private int flags() {
        return below(4) == 0 ? 0 : 2 | below(2) | below(2) << 2;
    }

    private String elements(int most) {
        int count = below(most + 1);
        var text = new StringBuilder().append(count);
        for (int i = 0; i < count; i++) {
            int length = below(8) == 0 ? 0 : 1 + below(1 << 20);
            text.append(" 0x")
                    .append(Long.toHexString(random.nextLong()))
                    .append(' ')
                    .append(length)
                    .append(' ')
                    .append(
                            Integer.toUnsignedLong(random.nextInt()) & 0x7fffffff);
        }
        return text.toString();
    }

    private String payload(Pair pair) {
        return below(pair.inline + 1) + " " + below(256);
    }

    private String datagram(Pair pair) {
        boolean inline = random.nextBoolean();
        return (inline ? "e " : "d ") + (2 + below(2)) + " " + identifiers++ + " " + flags() + " 0 " + below(1 << 24)
                + " "
                + below(1 << 30) + " " + below(1 << 30) + " " + (inline ? payload(pair) : elements(pair.elements));
    }

    private String connected(Pair pair) {
        int kind = below(12);
        boolean reliable = pair.type == QueuePairType.RC;
        if (kind == 0 && reliable) {
            return "a " + (5 + below(2)) + " " + identifiers++ + " " + flags() + " 0x"
                    + Long.toHexString(random.nextLong()) + " " + below(1 << 30) + " 0x"
                    + Long.toHexString(random.nextLong() & ~7) + " " + below(1 << 30) + " 0x"
                    + Long.toHexString(random.nextLong()) + " 0x" + Long.toHexString(random.nextLong());
        }
        if (kind == 1) {
            return "l " + identifiers++ + " " + flags() + " " + below(1 << 30);
        }
        if (kind == 2) {
            return "b " + identifiers++ + " " + flags() + " " + below(2) + " " + below(1 << 16) + " " + below(1 << 30)
                    + " 0x"
                    + Long.toHexString(random.nextLong()) + " " + (below(3) == 0 ? 0 : 1 + below(1 << 30)) + " "
                    + below(64);
        }
        boolean inline = kind > 7;
        int opcode = CONNECTED[below(inline ? 4 : reliable ? 6 : 4)];
        // Immediate data or a key, if any.
        return (inline ? "i " : "w ") + opcode + " " + identifiers++ + " " + flags() + " 0x"
                + Long.toHexString(random.nextLong()) + " " + below(1 << 30) + " " + below(1 << 30) + " "
                + (inline ? payload(pair) : elements(pair.elements));
    }

    private void receives(String what, int count, int elements) {
        var lines = new ArrayList<>(List.of(what + " " + count));
        boolean shared = what.startsWith("s");
        for (int i = 0; i < count; i++) {
            String list = elements(elements);
            lines.add("r " + identifiers++ + " " + (shared ? list.replaceAll(" 0 (?=\\d+)", " 1 ") : list));
        }
        step(lines.toArray(String[]::new));
    }

    private static int big(MemorySegment memory, long at) {
        return Integer.reverseBytes(memory.get(JAVA_INT, at));
    }

    private boolean hasRoom(int queue) {
        if (waiting.get(queue) < player.queues.get(queue).capacity() - 2) {
            return true;
        }
        poll(queue, waiting.get(queue));
        return false;
    }

    private void put(int queue, ByteBuffer completion) {
        step("cqe " + queue + " " + HexFormat.of().formatHex(completion.array()));
        waiting.set(queue, waiting.get(queue) + 1);
    }

    private ByteBuffer completion(int kind, int operation, int number, int counter) {
        var bytes = new byte[FakeMlx5Kernel.SLOT];
        random.nextBytes(bytes);
        var slot = ByteBuffer.wrap(bytes);
        slot.putInt(56, operation << 24 | number);
        slot.putShort(60, (short) counter);
        slot.put(63, (byte) (kind << 4));
        return slot;
    }

    private void spoil(ByteBuffer completion) {
        completion.put(54, (byte) below(100));
        completion.put(55, (byte) SYNDROMES[below(SYNDROMES.length)]);
    }

    /// Completes sends up to a waiting one.
    private void complete(int index, Pair pair) {
        FakeMlx5Kernel.Work work = player.kernel().pairs.get(index);
        if (work.sendBlocks() == 0 || !hasRoom(pair.sends)) {
            return;
        }
        int posted = big(FakeMlx5Kernel.at(work.record(), 8), 4);
        MemorySegment blocks = FakeMlx5Kernel.at(work.sends(), work.sendBlocks() * 64L);
        int go = 1 + below(12);
        int counter = -1;
        int operation = 0;
        for (int i = 0; i < go && (posted - pair.taken & 0xffff) != 0; i++) {
            long at = (pair.taken & work.sendBlocks() - 1) * 64L;
            counter = pair.taken & 0xffff;
            operation = big(blocks, at) & 0xff;
            pair.taken += ((big(blocks, at + 4) & 0x3f) + 3) >> 2;
        }
        if (counter >= 0) {
            boolean good = below(5) != 0;
            ByteBuffer completion = completion(good ? 0 : 13, operation, work.number(), counter);
            completion.putInt(32, 0);
            if (!good) {
                spoil(completion);
            }
            put(pair.sends, completion);
        }
    }

    /// Completes a receive.
    ///
    /// @param wanted kind of completion; 0 for any
    private void deliver(int index, Pair pair, int wanted) {
        if (!hasRoom(pair.receives)) {
            return;
        }
        FakeMlx5Kernel.Work work = player.kernel().pairs.get(index);
        int kind = wanted != 0 ? wanted : below(5) == 0 ? 14 : 1 + below(4);
        int counter = below(1 << 16);
        int shared = 0;
        if (pair.shared < 0) {
            int posted = big(FakeMlx5Kernel.at(work.record(), 8), 0);
            if ((posted - pair.received & 0xffff) == 0) {
                return;
            }
            pair.received++;
        } else {
            fetch();
            if (fetched.isEmpty()) {
                return;
            }
            counter = fetched.remove(below(fetched.size()));
            shared = player.kernel().shared.getFirst().number();
        }
        ByteBuffer completion = completion(kind, below(256), work.number(), counter);
        completion.putInt(32, shared);
        if (kind == 14) {
            spoil(completion);
        }
        put(pair.receives, completion);
    }

    /// Follows the list of shared receives as the device does.
    private void fetch() {
        FakeMlx5Kernel.Work work = player.kernel().shared.getFirst();
        int posted = big(FakeMlx5Kernel.at(work.record(), 4), 0);
        while ((posted - sharedTaken & 0xffff) != 0) {
            fetched.add(sharedNext);
            MemorySegment element = FakeMlx5Kernel.at(work.address() + ((long) sharedNext << work.shift()), 16);
            sharedNext = Short.reverseBytes(element.get(JAVA_SHORT, 2)) & 0xffff;
            sharedTaken++;
        }
    }
}
