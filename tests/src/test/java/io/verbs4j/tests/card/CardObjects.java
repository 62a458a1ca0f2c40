// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.sharedreceive.ModifySharedReceiveQueue;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUverbsModifyQp;
import io.verbs4j.simulator.kernel.EventQueue;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderMemoryRegion;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// The queues of an open card, each with its queue of rxe. Handles are rxe's, so that other commands need no
/// translation.
final class CardObjects {
    /// Completions that rxe can hold: all of the card's, and those that are silent.
    private static final int MAX_COMPLETIONS = 32767;

    private static final int MAX_WORK_REQUESTS = 16384;
    private static final int MAX_BUFFERS = 32;
    private static final int REGISTERS = 10;
    private static final int FIRST_REGISTER = 4;

    private record Shared(ProviderSharedReceiveQueue inner, CardReceives receives, int most) {}

    private final CommandChannel channel;
    private final Map<Integer, CardCompletions> queues = new LinkedHashMap<>();
    private final Map<Integer, Shared> shared = new LinkedHashMap<>();
    private final Map<Integer, CardQueuePair> pairs = new LinkedHashMap<>();
    private final Map<Integer, CardQueuePair> byNumber = new HashMap<>();
    private @Nullable ProviderContext context;

    CardObjects(CommandChannel channel) {
        this.channel = channel;
    }

    void open(ProviderContext rxe) {
        context = rxe;
    }

    private ProviderContext rxe() {
        return Objects.requireNonNull(context, "no context");
    }

    /// Takes rxe's completions, and passes on what they announce.
    boolean complete(Completion completion) {
        boolean some = false;
        for (CardCompletions queue : queues.values()) {
            some |= queue.drain(completion, (at, one) -> {
                CardQueuePair pair = byNumber.get(one.queuePairNumber());
                if (pair != null) {
                    pair.complete(at, one);
                }
            });
            some |= queue.deliver();
            some |= queue.solicited();
        }
        return some;
    }

    /// Hands on receives.
    boolean receive() {
        boolean some = false;
        for (Shared queue : shared.values()) {
            some |= queue.receives().step();
        }
        for (CardQueuePair pair : pairs.values()) {
            some |= pair.receive();
        }
        return some;
    }

    /// Takes note of how far the program has posted sends.
    void look() {
        pairs.values().forEach(CardQueuePair::look);
    }

    /// Forwards sends.
    ///
    /// @param rung whether any doorbell was rung
    boolean send(boolean rung) {
        boolean some = false;
        for (CardQueuePair pair : pairs.values()) {
            some |= pair.send(rung);
        }
        return some;
    }

    /// Checks all arming commands.
    ///
    /// @param rung handle of the queue in the doorbell
    void arm(int rung) {
        queues.values().forEach(queue -> queue.arming(queue.handle == rung));
    }

    void createQueue(KernelCall command, @Nullable EventQueue events) {
        CView in = command.request();
        CView part = CardStructs.CREATE_CQ.view(command.driverIn);
        EventFile innerChannel = events == null ? null : rxe().createCompletionChannel();
        var queue = new CardCompletions(
                rxe().createCompletionQueue(new CompletionQueueRequest(
                        MAX_COMPLETIONS,
                        in.get("user_handle"),
                        innerChannel,
                        in.getInt("comp_vector"))),
                in.get("user_handle"),
                events,
                innerChannel,
                part.get("buf_addr"),
                part.get("db_addr"),
                in.getInt("cqe") + 1);
        queues.put(queue.handle, queue);
        command.response()
                .set("cq_handle", queue.handle)
                .set("cqe", in.getInt("cqe"));
        command.driverOut.set(JAVA_INT, 0, queue.handle);
    }

    void resize(KernelCall command) {
        CardCompletions queue = get(queues, command.handle());
        int entries = (int) command.get("cqe");
        if (!queue.fits(entries)) {
            throw new VerbsException("resize completion queue", Errno.EINVAL, "too small");
        }
        queue.resize(CardStructs.RESIZE_CQ.view(command.driverIn).get("buf_addr"), entries + 1);
        command.response().set("cqe", entries);
    }

    void destroyQueue(int handle) {
        CardCompletions queue = get(queues, handle);
        queue.destroy();
        queues.remove(handle);
    }

    void createShared(KernelCall command) {
        CView in = command.request();
        CView part = CardStructs.CREATE_SRQ.view(command.driverIn);
        int last = in.getInt("max_wr");
        int buffers = in.getInt("max_sge");
        int shift = 5;
        while (1 << shift < 16 + 16 * buffers) {
            shift++;
        }
        ProviderSharedReceiveQueue inner = rxe().createSharedReceiveQueue(new SharedReceiveQueueRequest(
                domain(in.getInt("pd_handle")),
                in.get("user_handle"),
                Math.min(last, MAX_WORK_REQUESTS),
                Math.min(buffers, MAX_BUFFERS - 5),
                in.getInt("srq_limit")));
        int number = inner.handle() + 0x90;
        shared.put(
                inner.handle(),
                new Shared(
                        inner,
                        new CardReceives(
                                inner.receiveOps(),
                                part.get("buf_addr"),
                                part.get("db_addr"),
                                last + 1,
                                shift,
                                number),
                        last));
        command.response()
                .set("srq_handle", inner.handle())
                .set("max_wr", last)
                .set("max_sge", buffers);
        command.driverOut.set(JAVA_INT, 0, number);
    }

    /// Arms the limit event of a shared receive queue, all that the driver can change.
    void limit(MemorySegment core) {
        CView in = ModifySharedReceiveQueue.REQUEST.view(core);
        if (in.getInt("attr_mask") != ModifySharedReceiveQueue.LIMIT) {
            throw new VerbsException("modify shared receive queue", Errno.EINVAL, "only the limit");
        }
        Shared queue = get(shared, in.getInt("srq_handle"));
        if (in.getInt("srq_limit") > queue.most()) {
            throw new VerbsException("modify shared receive queue", Errno.EINVAL, "above what it holds");
        }
        queue.inner().armLimit(in.getInt("srq_limit"));
    }

    int destroyShared(int handle) {
        int events = get(shared, handle).inner().destroy();
        shared.remove(handle);
        return events;
    }

    private ProviderProtectionDomain domain(int handle) {
        return new ProviderProtectionDomain(channel, handle);
    }

    void createPair(KernelCall command) {
        CView in = command.request();
        CView part = CardStructs.CREATE_QP.view(command.driverIn);
        ProviderProtectionDomain domain = domain(in.getInt("pd_handle"));
        CardCompletions sendQueue = get(queues, in.getInt("send_cq_handle"));
        Shared receives = in.get("is_srq") == 0 ? null : get(shared, in.getInt("srq_handle"));
        QueuePairType type = type(in.getInt("qp_type"));
        int blocks = part.getInt("sq_wqe_count");
        int count = part.getInt("rq_wqe_count");
        int shift = part.getInt("rq_wqe_shift");
        ProviderQueuePair inner = rxe().createQueuePair(new QueuePairRequest(
                domain,
                type,
                sendQueue.inner,
                get(queues, in.getInt("recv_cq_handle")).inner,
                receives == null ? null : receives.inner(),
                new QueuePairCapabilities(
                        Math.min(Math.max(blocks, 1), MAX_WORK_REQUESTS),
                        Math.min(Math.max(count, 1), MAX_WORK_REQUESTS),
                        Math.min(Math.max(in.getInt("max_send_sge"), 1), MAX_BUFFERS),
                        Math.min(1 << Math.max(shift - 4, 0), MAX_BUFFERS),
                        0),
                false,
                in.get("user_handle")));
        MemorySegment copies =
                Arena.ofAuto().allocate((long) (blocks + CardSends.LONGEST) * CardSends.BLOCK, CardSends.BLOCK);
        ProviderMemoryRegion registered;
        try {
            registered =
                    rxe().registerMemory(domain, copies.address(), copies.byteSize(), copies.address(), 0);
        } catch (RuntimeException e) {
            inner.destroy();
            throw e;
        }
        long buffer = part.get("buf_addr");
        long record = part.get("db_addr");
        ReceiveQueueOps innerReceives = inner.receiveOps();
        var pair = new CardQueuePair(
                inner,
                new CardSends(
                        inner.sendOps(),
                        inner.number(),
                        type == QueuePairType.UD,
                        buffer + ((long) count << shift),
                        record,
                        blocks,
                        copies,
                        registered.lkey(),
                        vector -> rxe().createAddressHandle(domain, vector)),
                innerReceives == null || count == 0
                        ? null
                        : new CardReceives(innerReceives, buffer, record, count, shift, 0),
                sendQueue,
                receives == null ? 0 : receives.receives().number,
                registered,
                type == QueuePairType.UD);
        pairs.put(inner.handle(), pair);
        byNumber.put(inner.number(), pair);
        answer(in, command, inner);
    }

    private static QueuePairType type(int value) {
        return Arrays.stream(QueuePairType.values())
                .filter(type -> type.value() == value)
                .findFirst()
                .orElseThrow();
    }

    private void answer(CView in, KernelCall command, ProviderQueuePair inner) {
        CView out = command.response()
                .set("qp_handle", inner.handle())
                .set("qpn", inner.number());
        for (String limit : new String[]{
                "max_send_wr", "max_recv_wr", "max_send_sge", "max_recv_sge", "max_inline_data"}) {
            out.set(limit, in.get(limit));
        }
        command.driverOut.set(JAVA_INT, 0, FIRST_REGISTER + pairs.size() % REGISTERS);
    }

    /// Changes attributes. Of a reset rxe's rings must know.
    int modify(MemorySegment core, IntSupplier command) {
        CView in = IbUverbsModifyQp.STRUCT.view(core);
        CardQueuePair pair = get(pairs, in.getInt("qp_handle"));
        boolean moves = (in.getInt("attr_mask") & QueuePairAttribute.STATE.bit()) != 0;
        QueuePairState wanted = moves ? QueuePairState.of(in.getInt("qp_state")) : null;
        int result = 0;
        if (wanted == QueuePairState.RESET) {
            pair.inner.modify(QueuePairAttributes.builder().state(wanted).build());
        } else {
            result = command.getAsInt();
        }
        if (wanted != null && result >= 0) {
            pair.state(wanted);
            pair.receive();
            pair.send(true);
            if (wanted == QueuePairState.ERR) {
                pair.inner.flushReceives();
            }
        }
        return result;
    }

    int destroyPair(int handle) {
        CardQueuePair pair = get(pairs, handle);
        int events = pair.destroy();
        pairs.remove(handle);
        byNumber.remove(pair.inner.number());
        return events;
    }

    private static <T> T get(Map<Integer, T> objects, int handle) {
        T found = objects.get(handle);
        if (found == null) {
            throw new VerbsException("find object", Errno.ENOENT, "no object " + handle);
        }
        return found;
    }
}
