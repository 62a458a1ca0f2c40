// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUverbsQpCap;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.Path;
import io.verbs4j.simulator.rxe.QueuePair;
import io.verbs4j.simulator.rxe.Ring;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Commands on queue pairs.
final class QueuePairCommands {
    static final CStruct CAPABILITIES = IbUverbsQpCap.STRUCT;

    private static final ValueLayout.OfLong BIG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int MAX_REQUESTS = 1 << 20;
    private static final int MAX_ELEMENTS = 32;
    private static final int MAX_INLINE = 512;
    private static final int DRIVER_ANSWER = 32;
    private static final int SEND_RING = 16;
    /// `IB_UVERBS_QP_CREATE_SQ_SIG_ALL`.
    private static final int SIGNAL_ALL = 1 << 12;

    private static final int LAST_CLASSIC_TYPE = 4;

    private final OpenDevice file;
    private final ModifyRules rules;

    /// The request.
    record Request(
            int domain,
            int sendQueue,
            int receiveQueue,
            @Nullable Integer shared,
            long userHandle,
            int type,
            int flags) {}

    /// A new queue pair.
    record Created(int handle, KernelObject.Pair pair) {}

    QueuePairCommands(OpenDevice file, AddressCommands addresses) {
        this.file = file;
        this.rules = new ModifyRules(file, addresses);
    }

    private KernelObject.Pair get(int handle) {
        return file.objects().get(handle, KernelObject.Pair.class);
    }

    void create(Arena arena, CView in, CView out, MemorySegment driverIn, MemorySegment driverOut) {
        Refusal.when(driverIn.byteSize() > 0, Errno.EINVAL);
        MemorySegment asked = CAPABILITIES.allocate(arena);
        CView wanted = CAPABILITIES.view(asked);
        CAPABILITIES.fields().forEach(field -> wanted.set(field.path(), in.get(field.path())));
        var request = new Request(
                in.getInt("pd_handle"),
                in.getInt("send_cq_handle"),
                in.getInt("recv_cq_handle"),
                in.getInt("is_srq") != 0 ? in.getInt("srq_handle") : null,
                in.get("user_handle"),
                in.getInt("qp_type"),
                in.getInt("sq_sig_all") != 0 ? SIGNAL_ALL : 0);
        Created created = create(request, asked, driverOut);
        CView given = CAPABILITIES.view(capabilities(arena, created, asked));
        CAPABILITIES.fields().forEach(field -> out.set(field.path(), given.get(field.path())));
        out.set("qp_handle", created.handle()).set("qpn", created.pair().queuePair().number());
    }

    private static QueuePairType type(int number) {
        return switch (number) {
            case 2 -> QueuePairType.RC;
            case 3 -> QueuePairType.UC;
            case LAST_CLASSIC_TYPE -> QueuePairType.UD;
            case 0, 1 -> throw new Refusal(Errno.EINVAL);
            default -> throw new Refusal(Errno.EOPNOTSUPP);
        };
    }

    Created create(Request request, MemorySegment asked, MemorySegment driver) {
        QueuePairType type = type(request.type());
        Refusal.when((request.flags() & ~SIGNAL_ALL) != 0, Errno.EINVAL);
        var domain = file.objects().get(request.domain(), KernelObject.Domain.class);
        var sendQueue = file.objects().get(request.sendQueue(), KernelObject.Completions.class);
        var receiveQueue = file.objects().get(request.receiveQueue(), KernelObject.Completions.class);
        KernelObject.Receives shared = request.shared() == null
                ? null
                : file.objects().get(request.shared(), KernelObject.Receives.class);
        Refusal.when(driver.byteSize() < DRIVER_ANSWER, Errno.EINVAL);
        CView cap = CAPABILITIES.view(asked);
        check(cap, "send");
        if (shared == null) {
            check(cap, "recv");
        }
        Refusal.when(cap.get("max_inline_data") > MAX_INLINE, Errno.EINVAL);
        KernelObject.Pair pair = shared == null
                ? new KernelObject.Pair(request.userHandle(), domain, sendQueue, receiveQueue)
                : new KernelObject.Pair(request.userHandle(), domain, sendQueue, receiveQueue, shared);
        QueuePair queuePair = file.node()
                .rxe()
                .queuePair(new QueuePair.Shape(
                        type,
                        domain.rxe,
                        sendQueue.queue(),
                        receiveQueue.queue(),
                        shared == null ? null : shared.queue(),
                        cap.getInt("max_send_wr"),
                        cap.getInt("max_send_sge"),
                        cap.getInt("max_inline_data"),
                        shared == null ? cap.getInt("max_recv_wr") : 0,
                        shared == null ? cap.getInt("max_recv_sge") : 0,
                        (request.flags() & SIGNAL_ALL) != 0,
                        event -> file.report(pair, event)));
        if (queuePair == null) {
            throw new Refusal(Errno.ENOMEM);
        }
        pair.queuePair = queuePair;
        Ring receives = queuePair.receives();
        if (receives != null) {
            Commands.offer(file, driver.asSlice(0, SEND_RING), receives);
        }
        Commands.offer(file, driver.asSlice(SEND_RING), queuePair.sends());
        return new Created(file.objects().add(pair), pair);
    }

    /// Refuses invalid capabilities of a side: `send` or `recv`.
    static void check(CView cap, String side) {
        Refusal.when(
                cap.get("max_" + side + "_wr") > MAX_REQUESTS || cap.get("max_" + side + "_sge") > MAX_ELEMENTS,
                Errno.EINVAL);
    }

    /// Returns the capabilities of a new queue pair.
    MemorySegment capabilities(Arena arena, Created created, MemorySegment asked) {
        MemorySegment given = CAPABILITIES.allocate(arena).copyFrom(asked);
        QueuePair queuePair = created.pair().queuePair();
        CView cap = CAPABILITIES.view(given);
        cap.set("max_send_sge", queuePair.maxSendElements()).set("max_inline_data", queuePair.maxInline());
        if (!file.node().profile().has(Behaviour.QUEUES_REPORT_WHAT_WAS_ASKED_FOR)) {
            cap.set("max_send_wr", queuePair.sends().capacity());
            Ring receives = queuePair.receives();
            if (receives != null) {
                cap.set("max_recv_wr", receives.capacity());
            }
        }
        return given;
    }

    void ring(int handle) {
        QueuePair queuePair = get(handle).queuePair();
        Refusal.when(queuePair.state().compareTo(QueuePairState.RTS) < 0, Errno.EINVAL);
        queuePair.ring();
    }

    void modify(CView in, String base) {
        rules.modify(get(in.getInt(base + "qp_handle")), in, base);
    }

    void query(int handle, CView out) {
        KernelObject.Pair pair = get(handle);
        QueuePair queuePair = pair.queuePair();
        QueuePair.Attributes attributes = queuePair.attributes();
        boolean shown = file.node().profile().has(Behaviour.REPORTS_THE_CURRENT_STATE);
        Ring receives = queuePair.receives();
        boolean asked = file.node().profile().has(Behaviour.QUEUES_REPORT_WHAT_WAS_ASKED_FOR);
        out.set("qkey", queuePair.qkey())
                .set("rq_psn", queuePair.receivePsn())
                .set("sq_psn", queuePair.sendPsn())
                .set("dest_qp_num", attributes.destination)
                .set("qp_access_flags", attributes.access)
                .set("pkey_index", attributes.pkeyIndex)
                .set("qp_state", queuePair.state().value())
                .set("cur_qp_state", shown ? queuePair.state().value() : 0)
                .set("path_mtu", attributes.pathMtu)
                .set("path_mig_state", attributes.migration)
                .set("sq_draining", queuePair.isDraining() ? 1 : 0)
                .set("max_rd_atomic", attributes.reads)
                .set("max_dest_rd_atomic", attributes.incomingReads)
                .set("min_rnr_timer", attributes.rnrTimer)
                .set("port_num", attributes.port)
                .set("timeout", attributes.timeout)
                .set("retry_cnt", attributes.retries)
                .set("rnr_retry", attributes.rnrRetries)
                .set("sq_sig_all", queuePair.shape().signalAll() ? 1 : 0)
                .set("max_send_wr", asked ? queuePair.shape().sends() : queuePair.sends().capacity())
                .set("max_send_sge", queuePair.maxSendElements())
                .set("max_inline_data", queuePair.maxInline())
                .set("max_recv_wr", receives == null ? 0 : asked ? queuePair.shape().receives() : receives.capacity())
                .set("max_recv_sge", queuePair.shape().receiveElements())
                .set("dest.is_global", 1)
                .set("alt_dest.is_global", 1);
        Path path = queuePair.path();
        if (path != null) {
            Address peer = path.destination();
            out.slice("dest.dgid").set(BIG, 0, peer.high());
            out.slice("dest.dgid").set(BIG, Long.BYTES, peer.low());
            out.set("dest.flow_label", path.flowLabel())
                    .set("dest.sgid_index", path.sourceIndex())
                    .set("dest.hop_limit", path.hopLimit())
                    .set("dest.traffic_class", path.trafficClass())
                    .set("dest.port_num", path.port());
        }
    }

    KernelObject.Pair destroy(int handle) {
        KernelObject.Pair pair = get(handle);
        Refusal.unless(pair.memberships.isEmpty(), Errno.EBUSY);
        file.node().rxe().remove(pair.queuePair());
        file.forget(pair);
        file.objects().remove(handle);
        return pair;
    }

    /// Destroys a queue pair in any state.
    void drop(KernelObject.Pair pair) {
        pair.memberships.forEach(m -> file.node().rxe().group(m.group(), pair.queuePair(), false));
        file.node().rxe().remove(pair.queuePair());
    }
}
