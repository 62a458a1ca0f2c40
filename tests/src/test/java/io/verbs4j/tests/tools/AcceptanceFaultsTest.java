// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Recording;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.rxe.RxeStructs;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.FaultInjector.Fault;
import io.verbs4j.tests.support.Forwarding;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.types.CompletionStatus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The acceptance of a device with a fault fails, in exactly the checks of `acceptance-faults.txt`, beside this class
/// ([Recording]), with the same notes. Each fault strikes a simulated device of its own, in this process.
///
/// Add a fault as a line `$ FAULT`:
/// - `completion FIELD N`, `receive FIELD N` or `failure FIELD N`: changes (exclusive or) a field of completions,
///   except those that a timer causes in a thread of its own
/// - `memory AT`: changes a byte of all registered memory with each doorbell
/// - `map N`: the N-th mapped ring has a completion from the beginning
/// - `refuse N CALL`: calls ([FaultInjector]) fail with the error number N
/// - `answer N CALL`: the bytes of a call's answers are N
class AcceptanceFaultsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/tests/tools/acceptance-faults.txt");
    private static final String FAULT = "$ ";

    /// A file of a device with a fault.
    private static final class FaultyFile {
        private static final CStruct QUEUE = struct("rxe_queue_buf");
        private static final CStruct COMPLETION = struct("ib_uverbs_wc");
        private static final int RECEIVED = 128;

        private final DeviceFile file;
        private final String[] fault;
        private final List<MemorySegment> rings = new ArrayList<>();
        private final List<MemorySegment> memories = new ArrayList<>();
        private int mapped;

        FaultyFile(DeviceFile file, String[] fault) {
            this.fault = fault;
            Fault ofCalls = fault[0].equals("answer") ? new Fault.Garbled((byte) number())
                    : fault[0].equals("refuse") ? new Fault.Fails(number()) : null;
            this.file = ofCalls == null ? file : FaultInjector.ofEach(file, fault[2], ofCalls);
        }

        private int number() {
            return Integer.decode(fault[1]);
        }

        private static CStruct struct(String name) {
            return RxeStructs.all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        }

        DeviceFile proxy() {
            return AcceptanceFaultsTest.proxy(DeviceFile.class, file, this::called);
        }

        private Object called(Call call, String method, Object[] arguments) throws Throwable {
            switch (method) {
                case "attachMemory" -> memories.add((MemorySegment) arguments[1]);
                case "unmap" -> rings.remove((MemorySegment) arguments[0]);
                default -> {
                }
            }
            List<Integer> before = rings.stream().map(FaultyFile::producer).toList();
            Object result = call.run();
            if (method.equals("map")) {
                rings.add((MemorySegment) result);
                if (fault[0].equals("map") && ++mapped == number()) {
                    rings.getLast().set(ValueLayout.JAVA_INT, QUEUE.offset("producer_index"), 1);
                }
                return result;
            }
            for (int ring = 0; ring < before.size(); ring++) {
                for (int at = before.get(ring); at != producer(rings.get(ring)); at = at + 1 & mask(rings.get(ring))) {
                    spoil(completion(rings.get(ring), at));
                }
            }
            if (fault[0].equals("memory") && method.equals("write")) {
                damage();
            }
            return result;
        }

        private static int producer(MemorySegment ring) {
            return ring.get(ValueLayout.JAVA_INT, QUEUE.offset("producer_index"));
        }

        private static int mask(MemorySegment ring) {
            return ring.get(ValueLayout.JAVA_INT, QUEUE.offset("index_mask"));
        }

        private static MemorySegment completion(MemorySegment ring, int index) {
            int shift = ring.get(ValueLayout.JAVA_INT, QUEUE.offset("log2_elem_size"));
            return ring.asSlice(QUEUE.offset("data") + ((long) index << shift), 1L << shift);
        }

        private void spoil(MemorySegment completion) {
            boolean fromTimer = get(completion, "status") == CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED.value();
            boolean hit = !fromTimer && switch (fault[0]) {
                case "completion" -> true;
                case "receive" -> (get(completion, "opcode") & RECEIVED) != 0;
                case "failure" -> get(completion, "status") != 0;
                default -> false;
            };
            if (hit) {
                completion.set(ValueLayout.JAVA_INT, COMPLETION.offset(fault[1]),
                        get(completion, fault[1]) ^ Integer.decode(fault[2]));
            }
        }

        private static int get(MemorySegment completion, String field) {
            return completion.get(ValueLayout.JAVA_INT, COMPLETION.offset(field));
        }

        private void damage() {
            memories.removeIf(memory -> !memory.scope().isAlive());
            for (int each = 0; each < memories.size(); each++) {
                MemorySegment memory = memories.get(each);
                if (memory.byteSize() > number()) {
                    memory.set(ValueLayout.JAVA_BYTE, number(),
                            (byte) (memory.get(ValueLayout.JAVA_BYTE, number()) + each + 1));
                }
            }
        }
    }

    /// A call of the object behind a proxy.
    @FunctionalInterface
    private interface Call {
        Object run() throws Throwable;
    }

    @FunctionalInterface
    private interface Interceptor {
        Object called(Call call, String method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, T object, Interceptor interceptor) {
        return Forwarding.of(
                type,
                (_, method, arguments) -> interceptor
                        .called(() -> Forwarding.pass(object, method, arguments), method.getName(), arguments));
    }

    /// Lets the fault strike the first opened device file, which is the acceptance's own. Refuses the others, so that
    /// the commands to compare with C end soon.
    private static final class FaultyHost {
        private static final String[] REFUSED = {"refuse", "13", "ioctl GET_CONTEXT"};

        private final String[] fault;
        private boolean opened;

        FaultyHost(String fault) {
            this.fault = fault.split(" ", 3);
        }

        private Object called(Call call, String method, Object[] arguments) throws Throwable {
            Object result = call.run();
            if (method.equals("open") && arguments[0].toString().contains("uverbs")) {
                var file = new FaultyFile((DeviceFile) result, opened ? REFUSED : fault);
                opened = true;
                return file.proxy();
            }
            return result;
        }
    }

    private static List<String> run(String fault) {
        SimulatedHost host = SimulatedNetwork.inRealTime(1).addHost("here", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        Host faulty = proxy(Host.class, host, new FaultyHost(fault)::called);
        try (Host.Replacement _ = Host.replaceCurrent(faulty)) {
            return ToolRun.of("doctor", "--acceptance", "rxe0", "--report", "/dev/null")
                    .output()
                    .lines()
                    .filter(line -> line.matches("(failed|left out) .*|.* passed, .*") && !line.contains(" beside C: "))
                    .map(line -> line.replaceAll(" +[0-9.]+ ms +", "  ")
                            .replaceAll("   +", "  ")
                            .replaceAll("0x[0-9a-f]+", "0x…")
                            .replaceAll("( \\((the|it) .*|: possible causes.*)", ""))
                    .toList();
        } finally {
            host.network().close();
        }
    }

    private static Map<String, List<String>> recorded() throws IOException {
        var recorded = new LinkedHashMap<String, List<String>>();
        List<String> lines = List.of();
        for (String line : Files.readAllLines(FILE)) {
            if (line.startsWith(FAULT)) {
                lines = new ArrayList<>();
                recorded.put(line.substring(FAULT.length()), lines);
            } else {
                lines.add(line);
            }
        }
        return recorded;
    }

    @TestFactory
    Stream<DynamicTest> faultsFailTheChecksThatAreRecorded() throws IOException {
        Map<String, List<String>> recorded = recorded();
        assertThat(recorded).hasSizeGreaterThan(20);
        if (Recording.isWanted()) {
            var lines = new ArrayList<String>();
            for (String fault : recorded.keySet()) {
                long start = System.nanoTime();
                lines.add(FAULT + fault);
                lines.addAll(run(fault));
                System.out.printf("%5d ms %s%n", (System.nanoTime() - start) / 1_000_000, fault);
            }
            Recording.write(FILE, lines);
        }
        return recorded.entrySet()
                .stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey(), () -> assertThat(run(each.getKey())).isEqualTo(each.getValue())));
    }
}
