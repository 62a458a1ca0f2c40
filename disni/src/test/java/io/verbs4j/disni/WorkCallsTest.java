// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.verbs4j.types.Access;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/// Tests the calls with structs in DiSNI's layout, on two connected ends.
class WorkCallsTest extends ConnectedEnds {
    @Test
    void knowsBothAddresses() throws IOException {
        MemorySegment address = arena.allocate(Structs.SOCKADDR_BYTES);
        assertThat(calls.connections().peerAddress(client.id, address.address())).isZero();
        assertThat(Structs.readAddress(address.address())).isEqualTo(new InetSocketAddress("10.9.0.2", 7471));
        assertThat(calls.connections().localAddress(client.id, address.address())).isZero();
        assertThat(Structs.readAddress(address.address()).getHostString()).isEqualTo("10.9.0.1");
    }

    @Test
    void sendsSeveralElementsToSeveral() throws IOException {
        put(0, "gather");
        server.receive(5, at(1000), 4, at(2000), 10);
        client.send(7, SendFlags.SIGNALED, at(0), 3, at(3), 3);
        MemorySegment received = server.completion();
        assertThat(received.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(5);
        assertThat(received.get(ValueLayout.JAVA_INT, Structs.WC_BYTE_LENGTH)).isEqualTo(6);
        assertThat(text(1000, 4) + text(2000, 2)).isEqualTo("gather");
        assertThat(client.completion().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
    }

    @Test
    void sendsInlineDataOfSeveralElements() throws IOException {
        put(0, "in");
        put(100, "line");
        server.receive(5, at(1000), 100);
        var list = sends(client).add(
                7, WorkRequestOpcode.SEND, SendFlags.SIGNALED | SendFlags.INLINE, 0, at(0), 2, at(100), 4);
        calls.work().postSend(client.queuePair, list.address());
        assertThat(server.completion().get(ValueLayout.JAVA_INT, Structs.WC_BYTE_LENGTH)).isEqualTo(6);
        assertThat(text(1000, 6)).isEqualTo("inline");
        var tooLong = sends(client).add(7, WorkRequestOpcode.SEND, SendFlags.INLINE, 0, at(0), 2000);
        assertThatThrownBy(() -> calls.work().postSend(client.queuePair, tooLong.address()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("inline data of more than");
    }

    /// Neither a fence nor a solicited event signals a send, or copies its data, which is longer than inline data.
    @Test
    void flagsAreIndependent() throws IOException {
        for (int i = 0; i < 3; i++) {
            server.receive(5, at(1000), 100);
        }
        client.send(1, SendFlags.FENCE, at(0), 65);
        client.send(2, SendFlags.SOLICITED, at(0), 65);
        client.send(3, SendFlags.SIGNALED, at(0), 65);
        assertThat(client.completion().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(3);
    }

    /// Posts a list of several writes to the peer's memory, and changes the list between posts.
    @Test
    void writesAListThatIsChangedInBetween() throws IOException {
        put(0, "ab");
        WorkRequests list = sends(client)
                .add(1, WorkRequestOpcode.RDMA_WRITE, 0, 0, at(0), 1)
                .remote(at(1000), server.remoteKey)
                .add(2, WorkRequestOpcode.RDMA_WRITE, SendFlags.SIGNALED, 0, at(1), 1)
                .remote(at(1001), server.remoteKey);
        calls.work().postSend(client.queuePair, list.address());
        assertThat(client.completion().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(2);
        assertThat(text(1000, 2)).isEqualTo("ab");
        list.requests.set(ValueLayout.JAVA_LONG, Structs.SEND_WR_BYTES + Structs.REMOTE_ADDRESS, at(1002));
        list.requests.set(ValueLayout.JAVA_LONG, Structs.SEND_WR_BYTES + (long) Structs.WR_ID, 9);
        calls.work().postSend(client.queuePair, list.address());
        assertThat(client.completion().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(9);
        assertThat(text(1000, 3)).isEqualTo("abb");
    }

    @Test
    void readsThePeersMemory() throws IOException {
        put(2000, "remote");
        calls.work()
                .postSend(client.queuePair, sends(client)
                        .add(3, WorkRequestOpcode.RDMA_READ, SendFlags.SIGNALED, 0, at(100), 6)
                        .remote(at(2000), server.remoteKey)
                        .address());
        assertThat(client.completion().get(ValueLayout.JAVA_INT, Structs.WC_OPCODE)).isEqualTo(2);
        assertThat(text(100, 6)).isEqualTo("remote");
    }

    /// The client's queue pair was created before the peer's terms were known. It gets the peer's access rights later.
    @Test
    void theServerWritesAndReadsTheClientsMemory() throws IOException {
        put(0, "write");
        put(2000, "read");
        calls.work()
                .postSend(server.queuePair, sends(server)
                        .add(3, WorkRequestOpcode.RDMA_WRITE, SendFlags.SIGNALED, 0, at(0), 5)
                        .remote(at(1000), client.remoteKey)
                        .add(4, WorkRequestOpcode.RDMA_READ, SendFlags.SIGNALED, 0, at(100), 4)
                        .remote(at(2000), client.remoteKey)
                        .address());
        for (int request = 3; request <= 4; request++) {
            MemorySegment completed = server.completion();
            assertThat(completed.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(request);
            assertThat(completed.get(ValueLayout.JAVA_INT, Structs.WC_STATUS)).isZero();
        }
        assertThat(text(1000, 5)).isEqualTo("write");
        assertThat(text(100, 4)).isEqualTo("read");
    }

    /// An identifier without a device has no attributes for a queue pair.
    @Test
    void aQueuePairThatCannotBeUsedIsClosed() throws IOException {
        long context = calls.connections().context(client.id);
        long completions = calls.objects().createChannel(context);
        long queue = calls.objects().createQueue(context, completions, 8, 0);
        long unresolved = calls.connections().createIdentifier(channel);
        assertThatThrownBy(
                () -> calls.connections().createQueuePair(unresolved, client.domain, queue, queue, 2, 8, 8, 0))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("get queue pair attributes failed: EINVAL");
        assertThat(calls.connections().destroyQueuePair(unresolved)).isEqualTo(-1);
        assertThat(calls.objects().destroyQueue(queue)).as("no queue pair uses it").isZero();
        calls.objects().destroyChannel(completions);
        calls.connections().destroyIdentifier(unresolved);
    }

    /// C programs store the number in network byte order, and DiSNI programs in Java's order. Each end receives the
    /// number that the other end has stored.
    @Test
    void carriesImmediateDataAsItIs() throws IOException {
        server.receive(5);
        calls.work()
                .postSend(client.queuePair, sends(client)
                        .add(3, WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, 0, 0x01020304, at(0), 4)
                        .remote(at(100), server.remoteKey)
                        .address());
        MemorySegment received = server.completion();
        assertThat(received.get(ValueLayout.JAVA_INT, Structs.WC_IMMEDIATE)).isEqualTo(0x01020304);
        assertThat(received.get(ValueLayout.JAVA_INT, Structs.WC_FLAGS) & 2).isEqualTo(2);
        assertThat(received.get(ValueLayout.JAVA_INT, Structs.WC_OPCODE)).isEqualTo(129);
    }

    @Test
    void aFailedCompletionCarriesItsQueuePair() throws IOException {
        calls.work()
                .postSend(client.queuePair, sends(client)
                        .add(3, WorkRequestOpcode.RDMA_WRITE, 0, 0, at(0), 4)
                        .remote(at(100), server.remoteKey + 1)
                        .address());
        MemorySegment failed = client.completion();
        assertThat(failed.get(ValueLayout.JAVA_INT, Structs.WC_STATUS)).isEqualTo(10);
        assertThat(failed.get(ValueLayout.JAVA_INT, Structs.WC_QUEUE_PAIR))
                .isEqualTo(calls.objects().queuePairNumber(client.queuePair));
    }

    @Test
    void refusesAtomicsWhoseOperandsDisniDoesNotPass() {
        var list = sends(client).add(1, WorkRequestOpcode.FETCH_AND_ADD, 0, 0, at(0), 8).remote(at(0), 0);
        assertThatThrownBy(() -> calls.work().postSend(client.queuePair, list.address()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("FETCH_AND_ADD");
    }

    @Test
    void postsAListAsAWholeOrNotAtAll() throws IOException {
        var list = sends(client);
        for (int i = 0; i < WorkRequests.MAX_COUNT; i++) {
            list.add(i, WorkRequestOpcode.RDMA_WRITE, SendFlags.SIGNALED, 0, at(0), 1)
                    .remote(at(100), server.remoteKey);
        }
        assertThatThrownBy(() -> calls.work().postSend(client.queuePair, list.address()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is full");
        assertThat(calls.work().poll(client.queue, 1, arena.allocate(Structs.WC_BYTES).address())).isZero();
    }

    @Test
    void raisesEvents() throws IOException {
        assertThat(calls.objects().awaitEvent(server.completionChannel, 10)).isEqualTo(-1);
        assertThat(calls.objects().requestNotification(server.queue, 0)).isZero();
        server.receive(1, at(0), 10);
        client.send(7, 0, at(100), 3);
        assertThat(calls.objects().awaitEvent(server.completionChannel, MILLIS)).isZero();
    }

    @Test
    void thePeerHearsOfTheEnd() throws IOException {
        calls.connections().disconnect(client.id);
        event(10);
        assertThat(out.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(server.id);
    }

    @Test
    void refusesHandlesOfObjectsThatAreGone() throws IOException {
        calls.connections().destroyQueuePair(client.id);
        assertThatThrownBy(() -> calls.work().postSend(client.queuePair, 0)).isInstanceOf(IOException.class)
                .hasMessageContaining("there is no queue pair");
        assertThatThrownBy(() -> calls.work().poll(client.domain, 1, 0)).isInstanceOf(IOException.class)
                .hasMessageContaining("the handle is that of protection domain");
        assertThat(calls.connections().destroyQueuePair(client.id)).isEqualTo(-1);
        assertThatThrownBy(() -> calls.objects().contextNumber(0)).isInstanceOf(IOException.class);
    }

    /// DiSNI keeps only the address of a buffer that it registers.
    @Test
    void keepsABufferThatIsRegistered() throws Exception {
        ByteBuffer forgotten = ByteBuffer.allocateDirect(1 << 20);
        var reference = new WeakReference<>(forgotten);
        long address = Buffers.address(forgotten);
        long region = calls.objects()
                .register(client.domain, address, forgotten.capacity(), Access.LOCAL_WRITE.value(), out.address(),
                        out.address() + 4, out.address() + 8);
        forgotten = ByteBuffer.allocate(0);
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(reference.get()).isNotNull();
        calls.objects().deregister(region);
        for (int i = 0; i < 100 && reference.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(reference.get()).isNull();
        assertThat(forgotten.capacity()).isZero();
    }

    @Test
    void buffersThatAreGoneAreForgotten() throws Exception {
        ByteBuffer kept = ByteBuffer.allocateDirect(64);
        long before = referencesAfterCollection(kept);
        List<ByteBuffer> buffers =
                Stream.generate(() -> ByteBuffer.allocateDirect(64)).limit(100).toList();
        buffers.forEach(Buffers::address);
        assertThat(liveReferences()).isGreaterThanOrEqualTo(before + 100);
        buffers = List.of();
        long after = before + 100;
        for (int i = 0; i < 100 && after > before; i++) {
            after = referencesAfterCollection(kept);
        }
        assertThat(after).isLessThanOrEqualTo(before);
        assertThat(buffers).isEmpty();
    }

    /// Collects garbage, forgets the buffers that are gone, and returns the number of references that are left.
    private static long referencesAfterCollection(ByteBuffer kept) throws Exception {
        System.gc();
        Thread.sleep(20); // until the JVM has queued the references
        Buffers.address(kept);
        return liveReferences();
    }

    /// Collects garbage, and returns the number of reachable references to buffers.
    private static long liveReferences() throws JMException {
        var histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[]{new String[0]},
                        new String[]{String[].class.getName()});
        return histogram.lines()
                .filter(line -> line.contains(Buffers.class.getName() + "$Reference"))
                .mapToLong(line -> Long.parseLong(line.strip().split("\\s+")[1]))
                .sum();
    }

    @Test
    void buffersOnTheHeapHaveNoAddress() {
        assertThatThrownBy(() -> Buffers.address(ByteBuffer.allocate(1))).isInstanceOf(ClassCastException.class);
    }

    /// The simulated device allocates in the posting thread. Therefore the test compares with the same work without
    /// DiSNI.
    @Test
    void postingAndPollingAllocateNoMoreThanWithoutDisni() throws IOException {
        WorkRequests list = sends(client)
                .add(1, WorkRequestOpcode.RDMA_WRITE, SendFlags.SIGNALED, 0, at(0), 4, at(8), 4)
                .remote(at(1000), server.remoteKey);
        long wc = arena.allocate(Structs.WC_BYTES).address();
        Connection connection = calls.handles().get(client.queuePair, Connection.class, "queue pair");
        long with = allocated(() -> {
            calls.work().postSend(client.queuePair, list.address());
            while (calls.work().poll(client.queue, 1, wc) == 0) {
                Thread.onSpinWait();
            }
        });
        long without = allocated(() -> {
            try (var batch = connection.queuePair.beginSend()) {
                batch.write().local(connection.sendList).remote(at(1000), server.remoteKey).signaled().post();
                batch.submit();
            }
            boolean completed = false;
            while (!completed) {
                try (var batch = connection.queuePair.sendCompletionQueue().beginPoll()) {
                    completed = batch.next();
                }
            }
        });
        assertThat(with).isBetween(1L, without);
    }

    private interface Exchange {
        void run() throws IOException;
    }

    private static long allocated(Exchange exchange) throws IOException {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 30; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100; i++) {
                exchange.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
