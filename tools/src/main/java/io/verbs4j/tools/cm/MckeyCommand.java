// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.AddressResolution;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.DatagramPort;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.cm.MulticastGroup;
import io.verbs4j.tools.common.AddressText;
import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs mckey`.
@Command(
        name = "mckey",
        header = "Join a multicast group by IP address, and send to it or receive from it.",
        description = {
                "%nCompatible with mckey of librdmacm. The command makes the network interface join the IP group."
                        + " Unlike the C program, it joins IPv6 groups over RoCE v2 too, and waits until its"
                        + " datagrams are sent. The C program destroys its queue pair earlier, so its datagrams are"
                        + " usually lost on rxe. A receiver gives up after 60 s without a datagram. The C program"
                        + " waits indefinitely.%n"
        },
        footer = {"%nExample:", "  verbs mckey -m 239.1.1.1 -b 10.9.0.2", "  verbs mckey -m 239.1.1.1 -b 10.9.0.1 -s"})
public final class MckeyCommand implements Callable<Integer> {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration RESOLVE = Duration.ofSeconds(2);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "-m",
            required = true,
            paramLabel = "<group>",
            description = "The group's IPv4 or IPv6 address.") private String group = "";

    @Option(names = "-s", description = "Send (default: receive).") private boolean sender;

    @Option(
            names = "-b",
            paramLabel = "<address>",
            description = "The local address (default: that of the route to the group).") private @Nullable String own;

    @Option(
            names = "-c",
            paramLabel = "<n>",
            defaultValue = "1",
            converter = CNumber.Positive.class,
            description = "Queue pairs (default: ${DEFAULT-VALUE}).") private int connections;

    @Option(
            names = "-C",
            paramLabel = "<n>",
            defaultValue = "10",
            converter = CNumber.NotNegative.class,
            description = "Datagrams of each queue pair (default: ${DEFAULT-VALUE}).") private int messages;

    @Option(
            names = "-S",
            paramLabel = "<bytes>",
            defaultValue = "100",
            converter = CNumber.NotNegative.class,
            description = "Size of a datagram (default: ${DEFAULT-VALUE}).") private int bytes;

    @Option(names = "-o",
            description = "Join as a sender only; a send-only member receives nothing.") private boolean sendOnly;

    @Option(
            names = "--pause",
            paramLabel = "<seconds>",
            defaultValue = "3",
            converter = CNumber.NotNegative.class,
            description = "Seconds that a sender waits between joining and sending. During this time, switches start to"
                    + " forward the group's datagrams (default: ${DEFAULT-VALUE}).") private int pause;

    /// A queue pair in the group.
    private static final class Node {
        final DatagramPort port;
        final MulticastGroup group;
        final MemoryRegion memory;
        int done;

        Node(DatagramPort port, MulticastGroup group, MemoryRegion memory) {
            this.port = port;
            this.group = group;
            this.memory = memory;
        }
    }

    private final List<Node> nodes = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        var console = new Console(spec.commandLine().getOut());
        console.print("mckey: starting " + (sender ? "client" : "server"));
        InetAddress address = Hosts.resolve(group);
        if (!address.isMulticastAddress()) {
            throw new ToolException("not a multicast address: " + group);
        }
        if (sendOnly && !sender) {
            throw new ToolException("a send-only member (-o) receives nothing", "add -s");
        }
        try {
            InetSocketAddress local = own == null ? localTowards(address) : Hosts.resolve(own, 0);
            console.print("mckey: joining");
            for (int i = 0; i < connections; i++) {
                join(local, address, console);
            }
            transfer(console);
        } finally {
            nodes.forEach(node -> node.port.close());
        }
        console.print("test complete");
        console.print("return status 0");
        return 0;
    }

    private int count() {
        return bytes == 0 ? 0 : messages;
    }

    private static InetSocketAddress localTowards(InetAddress group) throws InterruptedException {
        try (EventChannel channel = EventChannel.open(); Identifier identifier = channel.create(PortSpace.UDP)) {
            var resolution = AddressResolution.begin(identifier, null, new InetSocketAddress(group, 0), RESOLVE);
            CmEvent event;
            do {
                event = channel.await(LONG).orElseThrow(() -> new ToolException("the address is not resolved"));
            } while (resolution.retry(event));
            CmFailure.check(event);
            InetSocketAddress local = identifier.addresses().local();
            if (local == null) {
                throw new ToolException("the route to the group leads to no RDMA device",
                        "set the address of an RDMA device with -b");
            }
            return new InetSocketAddress(local.getAddress(), 0);
        }
    }

    private void join(InetSocketAddress local, InetAddress address, Console console) throws InterruptedException {
        int queue = Math.max(1, count());
        DatagramPort port = DatagramPort.open(local,
                ConnectionOptions.defaults().withQueues(queue, queue).withTimeout(LONG));
        int mtu = port.context().port(port.identifier().addresses().port()).activeMtu().bytes();
        if (bytes > mtu) {
            port.close();
            throw new ToolException(
                    "a datagram of " + bytes + " bytes is larger than the active MTU of " + mtu,
                    "set a smaller size with -S");
        }
        try {
            MemoryRegion memory =
                    port.protectionDomain().allocate(GlobalRouteHeader.BYTES + Math.max(1, bytes), Access.LOCAL_WRITE);
            if (!sender) {
                try (var batch = port.queuePair().beginReceive()) {
                    for (int i = 0; i < count(); i++) {
                        batch.receive(memory, 0, GlobalRouteHeader.BYTES + (long) bytes);
                    }
                    batch.submit();
                }
            }
            MulticastGroup joined = port.join(address, sendOnly);
            nodes.add(new Node(port, joined, memory));
            AddressVector path = joined.destination().handle().path();
            console.print("mckey: joined dgid: " + AddressText.of(joined.gid()) + " mlid 0x"
                    + Integer.toHexString(path.destinationLid()) + " sl " + path.serviceLevel());
        } catch (RuntimeException | InterruptedException | Error e) {
            port.close();
            throw e;
        }
    }

    private void transfer(Console console) throws InterruptedException {
        if (count() == 0) {
            return;
        }
        if (sender) {
            Thread.sleep(Duration.ofSeconds(pause));
            console.print("initiating data transfers");
            nodes.forEach(this::send);
        } else {
            console.print("receiving data transfers");
            Listening.begins();
        }
        for (Node node : nodes) {
            while (node.done < count()) {
                if (node.port.completionQueue().await(8, completion -> take(node, completion), LONG) == 0) {
                    throw new ToolException(
                            "no datagram for " + LONG.toSeconds() + " s: " + node.done + " of " + count()
                                    + (sender ? " sent" : " received"),
                            "datagrams can be lost; start the sender after the receivers");
                }
            }
        }
        console.print("data transfers complete");
    }

    private void send(Node node) {
        try (var batch = node.port.queuePair().beginSend()) {
            for (int i = 0; i < count(); i++) {
                node.group
                        .destination()
                        .address(batch.signaled())
                        .send()
                        .immediate(node.port.queuePair().number())
                        .local(node.memory, 0, bytes)
                        .post();
            }
            batch.submit();
        }
    }

    private static void take(Node node, WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new ToolException("work request failed: " + completion);
        }
        node.done++;
    }
}
