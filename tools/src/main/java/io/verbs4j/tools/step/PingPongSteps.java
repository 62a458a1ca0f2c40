// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SendBatch;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.RingReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A ping-pong over a reliable connection with both ends in one process: the left one sends, the right one answers.
final class PingPongSteps extends SteppedProgram<PingPongSteps.End> {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int MESSAGE = 64;
    /// Size of the message to send, or of the answer; arriving bytes follow it.
    private static final int MEMORY = 4096;
    private static final int INCOMING = 1024;
    private static final long RECEIVE_ID = 1;
    private static final long SEND_ID = 2;

    PingPongSteps(Device left, Device right, StepScreen screen) {
        super(left, right, screen);
    }

    /// One of the two ends.
    static final class End implements SteppedProgram.End {
        final String device;
        final Context context;
        @Nullable ProtectionDomain domain;
        @Nullable MemoryRegion memory;
        @Nullable CompletionQueue queue;
        @Nullable PreparedQueuePair prepared;
        @Nullable QueuePair connected;

        End(Device device) {
            this.device = device.name();
            this.context = device.open();
        }

        ProtectionDomain domain() {
            return Objects.requireNonNull(domain);
        }

        MemoryRegion memory() {
            return Objects.requireNonNull(memory);
        }

        CompletionQueue queue() {
            return Objects.requireNonNull(queue);
        }

        PreparedQueuePair prepared() {
            return Objects.requireNonNull(prepared);
        }

        QueuePair connected() {
            return Objects.requireNonNull(connected);
        }

        QueuePairEndpoint endpoint() {
            return prepared().endpoint();
        }

        String name() {
            return "qp#" + endpoint().queuePairNumber() + " on " + device;
        }

        void send() {
            try (SendBatch batch = connected().beginSend()) {
                batch.signaled().workRequestId(SEND_ID).send().local(memory(), 0, MESSAGE).post();
                batch.submit();
            }
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @Override
    List<Step> steps() {
        return List.of(
                new Step("Find the devices", """
                    The kernel lists RDMA devices in sysfs, and reports more over netlink. No device is open yet.
                    The ends are %s and %s.""".formatted(leftDevice, rightDevice), """
                    List<Device> devices = Devices.list();""", this::find),
                new Step("Open the devices",
                        """
                            Opening the device file returns a descriptor; GET_CONTEXT creates its context. All later objects belong
                            to the context, and closing the file frees them. The limits are queried once.""",
                        """
                            Context left = Devices.open("%s");
                            Context right = Devices.open("%s");""".formatted(leftDevice, rightDevice), this::open),
                new Step("Allocate a protection domain, and register memory",
                        """
                            A domain groups objects that may be used together. Registering pins the pages, so that the device can
                            access them at any time, and returns a local key for own work requests and a remote key for the peer.""",
                        """
                            ProtectionDomain domain = left.allocateProtectionDomain();
                            MemoryRegion memory = domain.allocate(%d, Access.LOCAL_WRITE);      // right: likewise"""
                                .formatted(MEMORY),
                        this::register),
                new Step("Create completion queues",
                        """
                            The device reports finished work here. The kernel creates a ring, and the program maps it, so that reading
                            completions needs no system call.""",
                        """
                            CompletionQueue queue = left.createCompletionQueue(7);      // right: likewise""",
                        this::queues),
                new Step("Create queue pairs, and move them to INIT",
                        """
                            A queue pair has a ring of sends and one of receives, both mapped. INIT sets its port and the access rights
                            of the peer. Receives may be posted, but no sends yet.""",
                        """
                            PreparedQueuePair prepared = domain.reliableConnection(queue).maxSends(7).maxReceives(7).prepare();
                            QueuePairEndpoint endpoint = prepared.endpoint();      // right: likewise""",
                        this::prepare),
                new Step("Post the receives",
                        """
                            A message needs a posted receive, so receives are posted before the peer can send. Posting writes into the
                            ring and advances the producer index, without a system call.""",
                        """
                            try (ReceiveBatch batch = prepared.beginReceive()) {      // right: likewise
                                batch.workRequestId(%d).receive(memory, %d, %d);
                                batch.submit();
                            }""".formatted(RECEIVE_ID, INCOMING, MESSAGE), this::receive),
                new Step("Exchange endpoints, and connect: RTR, then RTS",
                        """
                            Each end needs the other's number, first packet sequence number and GID; programs exchange them over a
                            socket. RTR (ready to receive) uses the peer's values, RTS (ready to send) the own ones.""",
                        """
                            QueuePair queuePair = prepared.connect(peersEndpoint);      // both ends""", this::connect),
                new Step("Ping and pong",
                        """
                            A send is written into the ring; the doorbell, an empty write(), makes the kernel process it. It reads the
                            memory and sends packets, and the peer's kernel writes them to the memory of a receive. Both write
                            completions, the sender after the acknowledgement.""",
                        """
                            try (SendBatch batch = queuePair.beginSend()) {
                                batch.signaled().workRequestId(%d).send().local(memory, 0, %d).post();
                                batch.submit();                                   // the doorbell
                            }
                            queue.poll(1, completion -> ...);                     // both ends; then right sends, likewise"""
                                .formatted(SEND_ID, MESSAGE),
                        this::play),
                new Step("Clean up",
                        """
                            Objects that use others are closed first: queue pairs, completion queues, memory, domains. The kernel
                            refuses any other order (EBUSY). Closing the context closes all of them in order.""",
                        """
                            left.close();
                            right.close();""", this::cleanUp));
    }

    private void find() {
        screen.result("Result", Devices.list()
                .stream()
                .map(device -> device.name() + "  " + device.node() + "  driver "
                        + device.providerName().orElse("unknown")
                        + device.networkInterface().map(name -> " over " + name).orElse(""))
                .toList());
    }

    private void open() {
        left = new End(leftDevice);
        right = new End(rightDevice);
        screen.crossed(KERNEL);
        screen.result("Result",
                ends(end -> end.context + ": " + end.context.attributes().ports() + " port, up to "
                        + end.context.attributes().maxQueuePairs() + " queue pairs"));
    }

    private void register() {
        for (End end : List.of(left(), right())) {
            end.domain = end.context.allocateProtectionDomain();
            end.memory = end.domain.allocate(MEMORY, Access.LOCAL_WRITE);
        }
        screen.crossed(KERNEL);
        screen.result("Result", ends(end -> end.memory() + " on " + end.device));
    }

    private void queues() {
        for (End end : List.of(left(), right())) {
            end.queue = end.context.createCompletionQueue(7);
        }
        screen.crossed(KERNEL);
        screen.result("Rings (" + Pictures.LEGEND + ")", rings());
    }

    private void prepare() {
        for (End end : List.of(left(), right())) {
            end.prepared = end.domain().reliableConnection(end.queue()).maxSends(7).maxReceives(7).prepare();
        }
        screen.crossed(KERNEL);
        screen.result("Result", ends(end -> end.name() + ": endpoint " + end.endpoint()));
        screen.result("State", ends(end -> end.name() + ": " + Pictures.states(QueuePairState.INIT)));
    }

    private void receive() {
        for (End end : List.of(left(), right())) {
            try (ReceiveBatch batch = end.prepared().beginReceive()) {
                batch.workRequestId(RECEIVE_ID).receive(end.memory(), INCOMING, MESSAGE);
                batch.submit();
            }
        }
        screen.crossed("Changes of the rings, without a system call");
        screen.result("Receive rings (" + Pictures.LEGEND + ")", rings());
    }

    private void connect() {
        QueuePairEndpoint rightEndpoint = right().endpoint();
        right().connected = right().prepared().connect(left().endpoint());
        left().connected = left().prepared().connect(rightEndpoint);
        screen.crossed(KERNEL);
        screen.result("State", states());
        screen.result("Rings (" + Pictures.LEGEND + ")", rings());
    }

    private void play() {
        left().memory().segment().setString(0, "ping");
        left().send();
        arrived(left());
        arrived(right());
        screen.crossed("Ping: commands to the kernel, and its answers");
        screen.packets();
        screen.result("Rings before polling (" + Pictures.LEGEND + ")", rings());
        screen.result("Completions", List.of(take(left()), take(right())));
        right().memory().segment().setString(0, right().memory().segment().getString(INCOMING) + ", pong");
        right().send();
        arrived(right());
        arrived(left());
        screen.result("Completions of the answer", List.of(take(right()), take(left())));
        screen.crossed("Polls, and pong");
        screen.packets();
        screen.result("Rings after polling", rings());
        screen.result("State", states());
        screen.result("What arrived", List.of("\"" + left().memory().segment().getString(INCOMING) + "\""));
    }

    /// Waits until the ring contains a completion, without polling it.
    private static void arrived(End end) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (end.queue().readRing().map(RingReading::isEmpty).orElse(false)) {
            if (System.nanoTime() > deadline) {
                throw new ToolException(
                        "no completion on " + end.device + " after " + LIMIT.toSeconds() + " s",
                        "'verbs doctor' finds problems of the network");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException e) {
                throw ToolException.interrupted();
            }
        }
    }

    private static String take(End end) {
        var taken = new ArrayList<String>();
        end.queue().poll(1, completion -> taken.add(end.device + ": " + completion));
        return String.join("", taken);
    }

    private List<String> states() {
        List<String> states = ends(end -> end.name() + ": " + Pictures.states(end.connected().query().state()));
        screen.forget();
        return states;
    }

    /// Returns a text for each end.
    private List<String> ends(Function<End, String> text) {
        return List.of(text.apply(left()), text.apply(right()));
    }

    private List<String> rings() {
        var lines = new ArrayList<String>();
        for (End end : List.of(left(), right())) {
            if (end.connected != null) {
                picture(lines, "sends of " + end.name(), end.connected.readSendRing());
            }
            if (end.prepared != null) {
                picture(lines, "receives of " + end.name(), end.prepared.readReceiveRing());
            }
            picture(lines, "completions on " + end.device, end.queue().readRing());
        }
        return lines;
    }

    private static void picture(List<String> lines, String name, Optional<RingReading> ring) {
        lines.addAll(ring.map(reading -> Pictures.ring(name, reading))
                .orElse(List.of(name + ": not shown by this provider")));
    }
}
