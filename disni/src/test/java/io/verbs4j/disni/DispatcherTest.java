// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.util.NativeAffinity;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.Identifier;
import io.verbs4j.simulator.junit.SimulatedRdma;
import io.verbs4j.types.Access;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls each method of both dispatchers, as DiSNI does. Compares the dispatchers' methods with DiSNI's native methods.
@SimulatedRdma
@Timeout(60)
class DispatcherTest {
    private static final int MILLIS = 10_000;
    private static final int RELIABLE = 2;
    private static final int ACCESS = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(32);
    private final MemorySegment memory = arena.allocate(256);
    private final long server = address("10.9.0.2", 7471);

    @AfterEach
    void free() {
        arena.close();
    }

    /// A dispatcher, called by the names of its methods.
    private static final class NamedMethods {
        private final Object dispatcher;
        private final Map<String, Method> methods = new LinkedHashMap<>();
        private final Set<String> called = new TreeSet<>();

        NamedMethods(String name) throws ReflectiveOperationException {
            Class<?> type = Class.forName(name);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            dispatcher = constructor.newInstance();
            for (Method method : type.getMethods()) {
                if (method.getName().startsWith("_")) {
                    methods.put(method.getName(), method);
                }
            }
        }

        /// Returns the result; 0 if there is none.
        long call(String name, Object... arguments) throws Exception {
            called.add(name);
            try {
                Object result = methods.get(name).invoke(dispatcher, arguments);
                return result == null ? 0 : ((Number) result).longValue();
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    private long address(String host, int port) {
        long address = arena.allocate(Structs.SOCKADDR_BYTES).address();
        assertThat(Structs.writeAddress(address, new InetSocketAddress(host, port))).isTrue();
        return address;
    }

    private long outAt(int offset) {
        return out.address() + offset;
    }

    /// The objects of one end.
    private record End(long context, long domain, long channel, long queue, long region, long queuePair) {}

    private End end(NamedMethods calls, long id) throws Exception {
        long context = calls.call("_getContext", id);
        long domain = calls.call("_allocPd", context);
        long channel = calls.call("_createCompChannel", context);
        long queue = calls.call("_createCQ", context, channel, 16, 0);
        long region = calls.call(
                "_regMr", domain, memory.address(), (int) memory.byteSize(), ACCESS, outAt(16), outAt(20), outAt(24));
        return new End(context, domain, channel, queue, region,
                calls.call("_createQP", id, domain, queue, queue, RELIABLE, 8, 8, 16));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"com.ibm.disni.verbs.impl.NativeDispatcher", "com.ibm.disni.rdma.verbs.impl.NativeDispatcher"})
    void connectsSendsAndDestroysEachObjectOnce(String name) throws Exception {
        var calls = new NamedMethods(name);
        var sizes = new LinkedHashMap<String, Long>();
        for (String size : List.of("_getSockAddrInSize", "_getIbvRecvWRSize", "_getIbvSendWRSize", "_getIbvSgeSize",
                "_getIbvWCSize", "_getRemoteAddressOffset", "_getRKeyOffset", "_getVersion")) {
            sizes.put(size, calls.call(size));
        }
        assertThat(sizes.values()).containsExactly(28L, 32L, 72L, 16L, 48L, 40L, 48L, 32L);

        long channel = calls.call("_createEventChannel");
        long listener = calls.call("_createId", channel, (short) 0x106);
        assertThat(calls.call("_bindAddr", listener, server)).isZero();
        assertThat(calls.call("_listen", listener, -1)).isZero();
        long id = calls.call("_createId", channel, (short) 0x106);
        assertThat(calls.call("_getContext", id)).as("before an address is resolved").isEqualTo(-1);
        assertThat(calls.call("_getSrcAddr", id, outAt(0))).isEqualTo(-1);
        assertThat(calls.call("_resolveAddr", id, 0L, server, MILLIS)).isZero();
        assertThat(calls.call("_getCmEvent", channel, outAt(0), outAt(8), -1)).as("ADDR_RESOLVED").isZero();
        assertThat(out.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(-1);
        assertThat(out.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(id);
        assertThat(calls.call("_ackCmEvent", 0)).isZero();
        assertThat(calls.call("_resolveRoute", id, MILLIS)).isZero();
        assertThat(calls.call("_getCmEvent", channel, outAt(0), outAt(8), MILLIS)).as("ROUTE_RESOLVED").isEqualTo(2);
        End client = end(calls, id);
        assertThat(calls.call("_getContextFd", client.context)).isPositive();
        assertThat(calls.call("_getContextNumCompVectors", client.context)).isPositive();
        assertThat(calls.call("_getPdHandle", client.domain))
                .isPositive()
                .isNotEqualTo(calls.call("_getContextFd", client.context));
        int localKey = out.get(ValueLayout.JAVA_INT, 16);
        assertThat(out.get(ValueLayout.JAVA_INT, 24)).as("number of the region").isPositive();

        memory.set(ValueLayout.JAVA_INT, 200, 4711);
        assertThat(calls.call("_connect", id, 0, 0, memory.address() + 200, (byte) 4)).isZero();
        assertThat(calls.call("_getCmEvent", channel, outAt(0), outAt(8), MILLIS)).as("CONNECT_REQUEST").isEqualTo(4);
        assertThat(out.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(listener);
        long accepted = out.get(ValueLayout.JAVA_LONG, 8);
        End peer = end(calls, accepted);
        assertThat(peer.context).as("another device").isNotEqualTo(client.context);
        int peersKey = out.get(ValueLayout.JAVA_INT, 16);
        assertThat(calls.call("_accept", accepted, 100, -1)).isZero();
        for (int i = 0; i < 2; i++) {
            assertThat(calls.call("_getCmEvent", channel, outAt(0), outAt(8), MILLIS)).as("ESTABLISHED").isEqualTo(9);
        }
        assertThat(calls.call("_getDstAddr", id, outAt(0))).isZero();
        assertThat(Structs.readAddress(outAt(0))).isEqualTo(new InetSocketAddress("10.9.0.2", 7471));
        assertThat(calls.call("_getSrcAddr", id, outAt(0))).isZero();
        assertThat(Structs.readAddress(outAt(0)).getHostString()).isEqualTo("10.9.0.1");

        assertThat(calls.call("_reqNotifyCQ", peer.queue, 1)).as("solicited events only").isZero();
        var receives = WorkRequests.receives(arena, peersKey).add(1, 0, 0, 0, memory.address(), 8).add(2, 0, 0, 0);
        assertThat(calls.call("_postRecv", peer.queuePair, receives.address())).isZero();
        var sends = WorkRequests.sends(arena, localKey)
                .add(5, WorkRequestOpcode.SEND, 0, 0, memory.address() + 200, 4)
                .add(6, WorkRequestOpcode.SEND_WITH_IMMEDIATE,
                        SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.FENCE, 0x01020304);
        assertThat(calls.call("_postSend", client.queuePair, sends.address())).isZero();
        assertThat(calls.call("_getCqEvent", peer.channel, -1)).isZero();
        assertThat(calls.call("_ackCqEvent", peer.queue, 1)).isZero();
        MemorySegment wc = arena.allocate(3L * Structs.WC_BYTES);
        assertThat(calls.call("_pollCQ", peer.queue, 3, wc.address())).isEqualTo(2);
        assertThat(memory.get(ValueLayout.JAVA_INT, 0)).isEqualTo(4711);
        MemorySegment second = wc.asSlice(Structs.WC_BYTES);
        assertThat(second.get(ValueLayout.JAVA_LONG, Structs.WR_ID)).isEqualTo(2);
        assertThat(second.get(ValueLayout.JAVA_INT, Structs.WC_BYTE_LENGTH)).isZero();
        assertThat(second.get(ValueLayout.JAVA_INT, Structs.WC_IMMEDIATE)).isEqualTo(0x01020304);
        assertThat(second.get(ValueLayout.JAVA_INT, Structs.WC_QUEUE_PAIR))
                .isEqualTo((int) calls.call("_getQpNum", peer.queuePair));
        assertThat(calls.call("_getCqEvent", client.channel, 0)).as("the client's queue was not armed").isEqualTo(-1);

        assertThat(calls.call("_queryOdpSupport", client.context)).isEqualTo(-1);
        assertThat(calls.call("_expPrefetchMr", client.region, memory.address(), 8)).isEqualTo(-1);
        assertThatThrownBy(() -> calls.call("_modifyQP", client.queuePair, 0L)).isInstanceOf(IOException.class)
                .hasMessage("DiSNI passes no attributes, so there is nothing to modify");

        assertThat(calls.call("_disconnect", id)).isZero();
        assertThat(calls.call("_getCmEvent", channel, outAt(0), outAt(8), MILLIS)).as("DISCONNECTED").isEqualTo(10);
        assertThat(out.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(accepted);
        assertThat(calls.call("_disconnect", accepted)).isZero();
        long unused = calls.call("_createId", channel, (short) 0x106);
        assertThat(calls.call("_disconnect", unused)).as("it has no device").isEqualTo(-1);

        assertThat(calls.call("_destroyQP", id)).isZero();
        assertThatThrownBy(() -> calls.call("_getQpNum", client.queuePair)).isInstanceOf(IOException.class)
                .hasMessage("there is no queue pair " + client.queuePair + ": it was destroyed, or was never created");
        assertThat(calls.call("_destroyEp", accepted)).isZero();
        assertThat(calls.call("_destroyCmId", accepted)).as("destroyed with its end").isEqualTo(-1);
        for (End end : List.of(client, peer)) {
            calls.call("_deregMr", end.region);
            calls.call("_deregMr", end.region);
            assertThat(List.of(calls.call("_destroyCompChannel", end.channel),
                    calls.call("_destroyCompChannel", end.channel), calls.call("_destroyCQ", end.queue),
                    calls.call("_destroyCQ", end.queue), calls.call("_deallocPd", end.domain),
                    calls.call("_deallocPd", end.domain))).containsExactly(0L, -1L, 0L, -1L, 0L, -1L);
        }
        assertThat(calls.call("_destroyCmId", listener)).isZero();
        assertThat(calls.call("_destroyEventChannel", channel)).as("with its identifiers").isZero();
        assertThat(calls.call("_destroyCmId", id)).isEqualTo(-1);
        assertThat(calls.call("_destroyCmId", unused)).isEqualTo(-1);
        assertThat(calls.call("_destroyEventChannel", channel)).isEqualTo(-1);
        assertThatThrownBy(() -> calls.call("_getPdHandle", client.domain)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> calls.call("_getContextFd", client.context)).isInstanceOf(IOException.class)
                .hasMessageContaining("there is no context");
        assertThat(calls.called).isEqualTo(calls.methods.keySet());
    }

    private static Set<String> methods(URL file, AccessFlag flag) throws IOException {
        try (InputStream in = file.openStream()) {
            return ClassFile.of()
                    .parse(in.readAllBytes())
                    .methods()
                    .stream()
                    .filter(method -> method.flags().has(flag))
                    .map(DispatcherTest::signature)
                    .filter(signature -> !signature.startsWith("<"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String signature(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    /// Compares names, parameters and results of the native methods of the dispatchers, and of the public methods of
    /// the utilities.
    @ParameterizedTest
    @EnumSource(DisniVersion.class)
    void hasTheMethodsThatItReplaces(DisniVersion version) throws IOException {
        int compared = 0;
        try (URLClassLoader loader = version.loader()) {
            for (String name : List.of("verbs/impl/NativeDispatcher", "rdma/verbs/impl/NativeDispatcher",
                    "util/NativeAffinity", "util/MemoryUtils")) {
                List<URL> files = Collections.list(loader.findResources("com/ibm/disni/" + name + ".class"));
                if (files.size() == 2) { // this module's and DiSNI's
                    Set<String> replaced = methods(
                            files.get(1), name.startsWith("util") ? AccessFlag.PUBLIC : AccessFlag.NATIVE);
                    Set<String> own = methods(files.get(0), AccessFlag.PUBLIC);
                    if (name.endsWith("Dispatcher")) {
                        own.addAll(methods(loader.getResource("io/verbs4j/disni/Dispatcher.class"), AccessFlag.PUBLIC));
                    }
                    assertThat(own).containsAll(replaced);
                    compared += replaced.size();
                }
            }
        }
        assertThat(compared).isGreaterThan(45);
    }

    private static Endpoint endpoint(Calls calls, long id) throws IOException {
        return calls.handles().get(id, Endpoint.class, "identifier");
    }

    /// The numbers of `enum rdma_cm_event_type`.
    @Test
    void numbersEachEvent() throws IOException {
        var calls = new Calls();
        long channel = calls.connections().createChannel();
        Endpoint about = endpoint(calls, calls.connections().createIdentifier(channel));
        Identifier id = about.identifier;
        var parameters = ConnectionParameters.DEFAULT;
        var events = new LinkedHashMap<CmEvent, Integer>();
        events.put(new CmEvent.AddressResolved(id), 0);
        events.put(new CmEvent.AddressFailed(id, -110), 1);
        events.put(new CmEvent.RouteResolved(id), 2);
        events.put(new CmEvent.RouteFailed(id, -110), 3);
        events.put(new CmEvent.ConnectRequest(id, id, parameters), 4);
        events.put(new CmEvent.ConnectResponse(id, parameters), 6); // there is no queue pair
        events.put(new CmEvent.ConnectFailed(id, -1), 6);
        events.put(new CmEvent.Unreachable(id, -110), 7);
        events.put(new CmEvent.Rejected(id, 28, PrivateData.NONE), 8);
        events.put(new CmEvent.Established(id, parameters), 9);
        events.put(new CmEvent.Disconnected(id, 0), 10);
        events.put(new CmEvent.DeviceRemoved(id), 11);
        events.put(new CmEvent.AddressChanged(id), 14);
        events.put(new CmEvent.TimewaitExited(id), 15);
        events.put(new CmEvent.UserEvent(id, 0, 0), -1);
        events.forEach((event, number) -> assertThat(calls.connections().number(event, about))
                .as(event.toString())
                .isEqualTo(number));
        assertThat(calls.connections().number(new CmEvent.ConnectResponse(id, parameters), null))
                .as("the identifier was destroyed")
                .isEqualTo(6);
        assertThat(calls.connections().destroyChannel(channel)).isZero();
    }

    @Test
    void rejectsWithTheCause() throws Exception {
        var calls = new Calls();
        long channel = calls.connections().createChannel();
        long id = calls.connections().createIdentifier(channel);
        assertThatThrownBy(() -> calls.connections().connect(id, 0, 0, 0, 0)).isInstanceOf(IOException.class)
                .hasMessageContaining("there is no queue pair of the identifier 0");
        calls.connections().resolveAddress(id, server, MILLIS);
        assertThat(calls.connections().awaitEvent(channel, outAt(0), outAt(8), MILLIS)).isZero();
        long context = calls.connections().context(id);
        long domain = calls.objects().allocateDomain(context);
        long queue = calls.objects().createQueue(context, calls.objects().createChannel(context), 8, 0);
        assertThatThrownBy(() -> calls.connections().createQueuePair(id, domain, queue, queue, 99, 8, 8, 0))
                .isInstanceOf(IOException.class)
                .hasMessage("queue pair type 99 does not exist");
        assertThatThrownBy(() -> calls.connections().createQueuePair(id, domain, queue, queue, RELIABLE, -1, 8, 0))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("create queue pair failed: ")
                .hasCauseInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> calls.connections().resolveRoute(id, -1)).isInstanceOf(IOException.class)
                .hasMessageStartingWith("resolve route failed: ");
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> calls.connections().awaitEvent(channel, outAt(0), outAt(8), MILLIS))
                    .isInstanceOf(IOException.class)
                    .hasMessage("wait for an event was interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(calls.connections().awaitEvent(channel, outAt(0), outAt(8), 0)).as("no event").isEqualTo(-1);
        calls.connections().destroyChannel(channel);
        calls.objects().destroyQueue(queue);
        calls.handles().of(Queue.Channel.class).forEach(calls.objects()::destroyChannel);
        assertThat(calls.handles().of(Object.class)).as("the last object closes the device and its domain").isEmpty();
    }

    @Test
    void readsAndWritesIpv4AddressesOnly() {
        MemorySegment struct = arena.allocate(Structs.SOCKADDR_BYTES).fill((byte) 7);
        assertThat(Structs.writeAddress(struct.address(), new InetSocketAddress("::1", 5))).isFalse();
        assertThat(struct.toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
        assertThat(Structs.writeAddress(struct.address(), new InetSocketAddress("10.1.2.3", 0xfedc))).isTrue();
        assertThat(Arrays.copyOf(struct.toArray(ValueLayout.JAVA_BYTE), 17))
                .containsExactly(2, 0, 0xfe, 0xdc, 10, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 7);
        assertThat(Structs.readAddress(struct.address())).isEqualTo(new InetSocketAddress("10.1.2.3", 0xfedc));
    }

    /// A buffer at the same address that is too short is not the requested memory.
    @Test
    void memoryMayExceedAKnownBuffer() {
        ByteBuffer buffer = memory.asByteBuffer().slice(0, 8);
        long address = Buffers.address(buffer);
        assertThat(Buffers.memory(address, 8).byteSize()).isEqualTo(8);
        assertThat(Buffers.memory(address, 9).address()).isEqualTo(address);
        assertThat(Buffers.memory(address, 9).byteSize()).isEqualTo(9);
    }

    @Test
    void threadsAreBoundToNoProcessor() {
        NativeAffinity.setAffinity(3);
        assertThat(NativeAffinity.getAffinity()).isZero();
    }

    @Test
    void aHandleIsNeverReused() throws IOException {
        var handles = new Handles();
        var added = new LinkedHashMap<Long, Object>();
        for (int i = 0; i < 200; i++) { // more than the first table
            assertThat(added.put(handles.add("object " + i), "object " + i)).isNull();
        }
        added.forEach((handle, object) -> assertThat(handles.find(handle)).isEqualTo(object));
        assertThat(handles.of(String.class)).containsExactlyElementsOf(added.keySet());
        assertThat(handles.of(Integer.class)).isEmpty();
        long first = added.firstEntry().getKey();
        assertThat(handles.remove(first)).isEqualTo("object 0");
        assertThat(handles.remove(first)).isNull();
        long next = handles.add(5);
        assertThat((int) next & 0xff_ffff).as("the slot is reused").isEqualTo((int) first & 0xff_ffff);
        assertThat(Handles.number(next)).as("the number is not reused").isEqualTo(201);
        assertThat(handles.find(first)).isNull();
        assertThat(handles.find(next)).isEqualTo(5);
        assertThat(handles.find(0)).isNull();
        assertThat(handles.find(Integer.MAX_VALUE)).as("beyond the table").isNull();
        assertThat(handles.get(next, Integer.class, "number")).isEqualTo(5);
        assertThatThrownBy(() -> handles.get(next, String.class, "text"))
                .hasMessage("there is no text " + next + ": the handle is that of 5");
    }
}
