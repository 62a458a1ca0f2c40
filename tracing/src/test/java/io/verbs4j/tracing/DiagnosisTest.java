// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.completion.RequestNotification;
import io.verbs4j.abi.completion.ResizeCompletionQueue;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.datagram.AttachMulticast;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.datagram.DetachMulticast;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests the explanations of refused commands: for each mistake, and for similar requests without the mistake. Tests
/// the explanations of known buffers and mappings, too.
class DiagnosisTest {
    private static final String INIT = "handle=4 qp_state=1 attr_mask=57 port_num=1";
    /// All attributes that RC requires for INIT → RTR.
    private static final String RTR = "handle=5 qp_state=2 attr_mask=1216897 dest.is_global=1 dest.port_num=1"
            + " path_mtu=3 max_dest_rd_atomic=1";
    private static final String RTS = "handle=6 qp_state=3 attr_mask=77313 max_rd_atomic=16";

    private final ObjectNames names = new ObjectNames("no-such-device");

    DiagnosisTest() {
        Map.of(
                "phys_port_cnt", 2L, "gid_tbl_len", 8L, "pkey_tbl_len", 1L, "max_mtu", 4L, "max_qp_init_rd_atom", 16L,
                "max_qp_rd_atom", 8L, "max_cqe", 100L, "num_comp_vectors", 4L, "max_qp_wr", 64L, "max_sge", 6L)
                .forEach(names::addLimit);
        names.addLimit("max_srq_wr", 32);
        names.addLimit("max_srq_sge", 5);
        names.add(UverbsObject.PD, 1, 1, List.of(), Map.of());
        names.add(UverbsObject.PD, 9, 9, List.of(), Map.of());
        TracedObject domain = Objects.requireNonNull(names.find(UverbsObject.PD, 1));
        names.add(UverbsObject.CQ, 2, 2, List.of(), Map.of());
        TracedObject queue = Objects.requireNonNull(names.find(UverbsObject.CQ, 2));
        for (int state = 0; state < 7; state++) {
            names.add(UverbsObject.QP, 4 + state, 20 + state, List.of(domain, queue),
                    Map.of("qp_type", 2L, "qp_state", (long) state));
        }
        names.add(UverbsObject.QP, 11, 30, List.of(domain), Map.of("qp_type", 4L, "qp_state", 3L));
        names.add(UverbsObject.QP, 12, 31, List.of(domain), Map.of("qp_type", 77L));
        names.addRing(0x1000, "completion ring of cq#2");
    }

    private void explains(CommandSpecification command, int errno, String fields, String text) {
        assertThat(new Diagnosis(command, errno, new RefusedRequest(names, command, fields)).find())
                .as("%s(%s)", command.operation(), fields)
                .isEqualTo(text);
    }

    private void explains(CommandSpecification command, String fields, String text) {
        explains(command, Errno.EINVAL, fields, text);
        explains(command, Errno.ENOMEM, fields, "");
    }

    @Test
    void unknownObjects() {
        String rest = "; it was destroyed, or belongs to another context";
        for (int errno : new int[]{Errno.EINVAL, Errno.ENOENT}) {
            explains(RequestNotification.SPECIFICATION, errno, "cq_handle=7",
                    "cq_handle=7: this context has no cq with this handle" + rest);
            explains(CreateQueuePair.SPECIFICATION, errno, "recv_cq_handle=0xffffffff",
                    "recv_cq_handle=4294967295: this context has no cq with this handle" + rest);
            explains(CreateQueuePair.SPECIFICATION, errno, "srq_handle=3 is_srq=1",
                    "srq_handle=3: this context has no srq with this handle" + rest);
            explains(CreateQueuePair.SPECIFICATION, errno, "srq_handle=3",
                    "srq_handle=3: this context has no srq with this handle" + rest);
        }
        explains(RequestNotification.SPECIFICATION, "cq_handle=2", "");
        explains(RequestNotification.SPECIFICATION, Errno.EPERM, "cq_handle=7", "");
        explains(CreateQueuePair.SPECIFICATION, "srq_handle=3 is_srq=0", "");
        explains(QueryDevice.SPECIFICATION, "", "");
    }

    @Test
    void memory() {
        for (CommandSpecification command : List.of(RegisterMemory.SPECIFICATION, ReregisterMemory.SPECIFICATION)) {
            explains(command, "flags=5 start=0x5000 length=0 hca_va=0x5000",
                    "length=0: a region needs at least one byte");
            explains(command, "flags=5 start=-1 length=1 hca_va=-1 access_flags=1", "start + length wraps around");
            explains(command, "flags=5 start=-4096 length=8192 hca_va=0", "start + length wraps around");
            explains(command, "flags=5 start=-4096 length=4095 hca_va=0", "");
            explains(command, "flags=5 start=0x7ffffffffffff000 length=0x2000 hca_va=0", "");
            explains(command, "flags=5 start=0x5000 length=1 hca_va=0x7001",
                    "hca_va=0x7001 has another offset within its page than start=0x5000; the low 12 bits of both must"
                            + " be the same");
            explains(command, "flags=5 start=0x5001 length=1 hca_va=0x17001 access_flags=2",
                    "access_flags: [REMOTE_WRITE] without LOCAL_WRITE; remote write access needs local write access");
            explains(command, "flags=5 start=0 length=1 access_flags=8",
                    "access_flags: [REMOTE_ATOMIC] without LOCAL_WRITE; remote write access needs local write access");
            explains(command, "flags=5 start=0 length=1 access_flags=0x3ff0001f", "");
            for (int errno : new int[]{Errno.EINVAL, Errno.EOPNOTSUPP}) {
                explains(command, errno, "flags=5 start=0 length=1 access_flags=0x8001",
                        "access_flags: this driver or kernel does not support bits 0x8000");
                explains(command, errno, "flags=5 start=0 length=1 access_flags=0x41",
                        "access_flags: this driver or kernel does not support [ON_DEMAND]");
            }
            explains(command, Errno.EOPNOTSUPP, "flags=5 start=0x5000 length=0 hca_va=0x5001", "");
            explains(command, Errno.EFAULT, "flags=5 start=0x10 length=8 access_flags=1",
                    "0x10 in the range 0x10…0x18 is not mapped in this process");
        }
    }

    /// The kernel ignores the fields of the parts that do not change.
    @Test
    void reregistrations() {
        CommandSpecification command = ReregisterMemory.SPECIFICATION;
        explains(command, "flags=4 pd_handle=0 length=0 access_flags=2",
                "access_flags: [REMOTE_WRITE] without LOCAL_WRITE; remote write access needs local write access");
        explains(command, "flags=1 start=0x5000 length=0 hca_va=0x5000", "length=0: a region needs at least one byte");
        explains(command, "flags=1 start=0x5000 length=1 hca_va=0x5000 access_flags=2", "");
        explains(command, "flags=2 pd_handle=1 length=0 access_flags=2", "");
        explains(command, "flags=2 pd_handle=3",
                "pd_handle=3: this context has no pd with this handle; it was destroyed, or belongs to another"
                        + " context");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                # start  | bytes | written | explanation
                0x1000   | 0x1000 | true   |
                0x1800   | 0x1000 | true   |
                0x2fff   | 1      | true   |
                0x0fff   | 2      | false  | 0xfff in the range 0xfff…0x1001 is not mapped in this process
                0x2fff   | 2      | false  | 0x3000 in the range 0x2fff…0x3001 is not mapped in this process
                0x4000   | 0x1000 | false  |
                0x4800   | 1      | true   | 0x4800 in the range 0x4800…0x4801 is mapped read-only (/lib/a b.so), \
                but the region needs write access
                0x5000   | 16     | true   | 0x5000 in the range 0x5000…0x5010 is mapped read-only, \
                but the region needs write access
                0x4fff   | 2      | false  |
                0x6000   | 16     | false  | the range 0x6000…0x6010 is a shared mapping of a file (/tmp/f), \
                which newer kernels do not pin; use anonymous, tmpfs or huge-page memory
                0x7000   | 16     | false  |
                0x8000   | 16     | true   |
                0x20000  | 16     | true   | 0x20000 in the range 0x20000…0x20010 is not mapped in this process
                -0x1000  | 16     | true   |
                """)
    void mappings(String start, String bytes, boolean written, String explanation) {
        List<String> maps = List.of(
                "1000-2000 rw-p 00000000 00:00 0 ",
                "2000-3000 rw-p 00000000 00:00 0                          [heap]",
                "4000-5000 r--p 00000000 08:01 1234                       /lib/a b.so",
                "5000-6000 r--p 00000000 00:00 0",
                "6000-7000 rw-s 00000000 08:01 1235                       /tmp/f",
                "7000-8000 r--s 00000000 08:01 1236                       /tmp/g",
                "8000-9000 rw-s 00000000 00:00 0",
                "fffffffffffff000-ffffffffffffffff rw-p 00000000 00:00 0");
        assertThat(ProcessMemory.fault(Long.decode(start), Long.decode(bytes), written, maps))
                .isEqualTo(explanation == null ? "" : explanation);
    }

    @Test
    void paths() {
        var handle = CreateAddressHandle.SPECIFICATION;
        explains(handle, "attr.is_global=0", "is_global=0: the path has no GID (no GRH), but RoCE addresses peers by"
                + " their GIDs");
        explains(handle, "attr.is_global=1 attr.port_num=3", "port 3 does not exist; the device has ports 1 to 2");
        explains(handle, "attr.is_global=1 attr.port_num=0", "port 0 does not exist; the device has ports 1 to 2");
        explains(handle, "attr.is_global=1 attr.port_num=2 attr.grh.sgid_index=8",
                "sgid_index=8 is beyond the port's GID table, which has 8 slots");
        explains(handle, "attr.is_global=1 attr.port_num=1 attr.grh.sgid_index=7 attr.grh.dgid=a:b", "");
        explains(handle, Errno.ENODATA, "attr.grh.sgid_index=7", "sgid_index=7: this slot of the GID table is empty");
        explains(handle, Errno.ETIMEDOUT, "attr.grh.dgid=a:b", "no host answered for dgid=a:b: its Ethernet address"
                + " could not be resolved; the address is wrong, or the peer's interface is down");
        for (int errno : new int[]{Errno.ENETUNREACH, Errno.EHOSTUNREACH}) {
            explains(handle, errno, "attr.grh.dgid=a:b", "there is no route to dgid=a:b");
            explains(handle, errno, "", "there is no route to dgid=?");
        }
    }

    @Test
    void transitions() {
        var modify = ModifyQueuePair.SPECIFICATION;
        explains(modify, "handle=4 attr_mask=1 qp_state=1",
                "qp#20: RC RESET → INIT misses [ACCESS_FLAGS, PKEY_INDEX, PORT]");
        explains(modify, Errno.EPERM, "handle=4 attr_mask=1 qp_state=1", "");
        explains(modify, "qp_handle=4 attr_mask=1 qp_state=1",
                "qp#20: RC RESET → INIT misses [ACCESS_FLAGS, PKEY_INDEX, PORT]");
        explains(modify, "handle=7 attr_mask=64", "qp#23: RC RTS → RTS does not allow [QKEY]");
        explains(modify, "handle=4 attr_mask=64 qp_state=1", "qp#20: RC RESET → RESET does not allow [QKEY]");
        explains(modify, "handle=12 attr_mask=1 qp_state=1", "");
        explains(modify, "handle=77 attr_mask=1 qp_state=1", "");
        explains(modify, INIT, "");
        explains(modify, INIT.replace("port_num=1", "port_num=3"),
                "qp#20: RC RESET → INIT: port 3 does not exist; the device has ports 1 to 2");
        explains(modify, INIT + " pkey_index=1",
                "qp#20: RC RESET → INIT: pkey_index=1 is beyond the port's P_Key table, which has 1 entries");
        explains(modify, RTR, "");
        explains(modify, RTR.replace("path_mtu=3", "path_mtu=5"),
                "qp#21: RC INIT → RTR: path_mtu=5 exceeds the device's max_mtu=4");
        explains(modify, RTR.replace("rd_atomic=1", "rd_atomic=9"),
                "qp#21: RC INIT → RTR: max_dest_rd_atomic=9 exceeds the device's max_qp_rd_atom=8");
        explains(modify, RTR + " dest.sgid_index=9",
                "qp#21: RC INIT → RTR: sgid_index=9 is beyond the port's GID table, which has 8 slots");
        explains(modify, Errno.ENODATA, RTR, "qp#21: RC INIT → RTR: sgid_index=0: this slot of the GID table is empty");
        explains(modify, RTS, "");
        explains(modify, Errno.ENODATA, RTS, "");
        explains(modify, RTS.replace("atomic=16", "atomic=17"),
                "qp#22: RC RTR → RTS: max_rd_atomic=17 exceeds the device's max_qp_init_rd_atom=16");
    }

    @Test
    void completionQueues() {
        for (CommandSpecification command : List.of(
                CreateCompletionQueue.SPECIFICATION, ResizeCompletionQueue.SPECIFICATION)) {
            explains(command, "cqe=0", "cqe=0: a completion queue needs at least one entry");
            explains(command, "cqe=100 comp_vector=3", "");
            explains(command, "cqe=101", "cqe=101 exceeds the device's max_cqe=100");
            explains(command, "cqe=1 comp_vector=4", "comp_vector=4: the device has vectors 0 to 3");
            explains(command, Errno.EBADF, "comp_channel=9",
                    "the completion channel fd 9 is closed, or belongs to another context");
        }
        explains(DestroyCompletionQueue.SPECIFICATION, Errno.EBUSY, "handle=2",
                "cq#2 is in use by qp#20, qp#21, qp#22, qp#23, qp#24, qp#25, qp#26; destroy these objects first");
        explains(DestroyCompletionQueue.SPECIFICATION, "cq_handle=2", "");
        explains(DestroyCompletionQueue.SPECIFICATION, Errno.EBUSY, "handle=99", "");
        explains(DeallocateProtectionDomain.SPECIFICATION, Errno.EBUSY, "pd_handle=9", "");
    }

    @Test
    void queuePairs() {
        var create = CreateQueuePair.SPECIFICATION;
        explains(create, "max_send_wr=64 max_recv_wr=64 max_send_sge=6 max_recv_sge=6", "");
        explains(create, "max_send_wr=65", "max_send_wr=65 exceeds the device's max_qp_wr=64");
        explains(create, "max_recv_wr=65 max_recv_sge=7 max_send_sge=8 max_inline_data=9",
                "max_recv_sge=7 exceeds the device's max_sge=6; max_recv_wr=65 exceeds the device's max_qp_wr=64;"
                        + " max_send_sge=8 exceeds the device's max_sge=6");
        explains(create, "max_inline_data=9",
                "max_inline_data=9 probably exceeds the driver's limit, which no query reports (rxe: 512)");
        var shared = CreateSharedReceiveQueue.SPECIFICATION;
        explains(shared, "max_wr=0", "max_wr=0: a shared receive queue needs room for at least one receive");
        explains(shared, "max_wr=32 max_sge=5", "");
        explains(shared, "max_wr=33 max_sge=6", "max_sge=6 exceeds the device's max_srq_sge=5; max_wr=33 exceeds the"
                + " device's max_srq_wr=32");
    }

    /// The limit of rxe is known. A smaller number has another cause.
    @Test
    void inlineData() {
        var rxe = new DriverAbi("rdma_rxe", List.of(), Map.of(), Map.of(), List.of(), Map.of());
        var create = CreateQueuePair.SPECIFICATION;
        for (int bytes : new int[]{512, 513}) {
            var request = new RefusedRequest(names, rxe, create, "max_inline_data=" + bytes);
            assertThat(new Diagnosis(create, Errno.EINVAL, request).find()).isEqualTo(bytes == 512 ? ""
                    : "max_inline_data=513 probably exceeds the driver's limit, which no query reports (rxe: 512)");
        }
    }

    @Test
    void memoryWindows() {
        var allocate = AllocateMemoryWindow.SPECIFICATION;
        explains(allocate, "mw_type=0", "mw_type=0: the type is neither 1 nor 2");
        explains(allocate, "mw_type=1", "");
        explains(allocate, "mw_type=2", "");
        explains(allocate, "mw_type=3", "mw_type=3: the type is neither 1 nor 2");
    }

    @Test
    void doorbells() {
        explains(PostSendDoorbell.SPECIFICATION, "qp_handle=5", "qp#21 is in INIT: sends are executed in RTS only;"
                + " posted work requests wait in the ring for the first doorbell after that");
        explains(PostSendDoorbell.SPECIFICATION, "qp_handle=7", ""); // the recorded state is not the kernel's
        explains(PostSendDoorbell.SPECIFICATION, Errno.EPERM, "qp_handle=99", "");
    }

    @Test
    void portsAndGids() {
        explains(QueryPort.SPECIFICATION, Errno.EINVAL, "port_num=0",
                "port 0 does not exist; the device has ports 1 to 2");
        explains(QueryPort.SPECIFICATION, Errno.EINVAL, "port_num=2", "");
        var entry = QueryGidEntry.SPECIFICATION;
        explains(entry, "port=3 gid_index=1", "port 3 does not exist; the device has ports 1 to 2");
        explains(entry, "port=1 gid_index=9", "gid_index=9 is beyond the port's GID table");
        explains(entry, Errno.ENODATA, "port=1 gid_index=9",
                "slot 9 of the GID table is empty; the kernel fills one slot for each IP address of the interface");
        var blank = new ObjectNames("no-such-device");
        assertThat(new Diagnosis(
                QueryPort.SPECIFICATION, Errno.EINVAL, new RefusedRequest(blank, QueryPort.SPECIFICATION, "port_num=9"))
                .find())
                .as("before the number of ports is known")
                .isEmpty();
    }

    @Test
    void multicastGroups() {
        for (CommandSpecification command : List.of(AttachMulticast.SPECIFICATION, DetachMulticast.SPECIFICATION)) {
            explains(command, "qp_handle=7 gid=ff:1", "qp#23 is RC; only UD queue pairs join multicast groups");
            explains(command, "qp_handle=11 gid=fe:1", "gid=fe:1 is not a multicast address; these begin with ff");
            explains(command, "qp_handle=11", "gid=? is not a multicast address; these begin with ff");
            explains(command, "qp_handle=11 gid=ff:1", "");
            explains(command, Errno.EPERM, "qp_handle=99 gid=ff:1", "");
        }
    }

    @Test
    void rings() {
        assertThat(Diagnosis.map(names, 0x1000, Errno.EINVAL)).isEqualTo(
                "completion ring of cq#2 was mapped before, or the length differs from the kernel's offer");
        assertThat(Diagnosis.map(names, 0x2000, Errno.EINVAL))
                .isEqualTo("no command of this context was answered with the offset 0x2000");
        assertThat(Diagnosis.map(names, 0x1000, Errno.ENOMEM)).startsWith("the process has reached a limit");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                # address | length | key | written | mistake
                0x1000 | 0x100 | 5 | true  |
                0x10ff | 1     | 5 | true  |
                0x9999 | 0     | 9 | true  |
                0x0fff | 1     | 5 | true  | 0xfff with 1 bytes is not within mr#3 (0x1000 with 256 bytes)
                0x10ff | 2     | 5 | false | 0x10ff with 2 bytes is not within mr#3 (0x1000 with 256 bytes)
                0x2000 | 16    | 6 | false |
                0x2000 | 16    | 6 | true  | mr#4 lacks LOCAL_WRITE, and the device writes to it
                -0x100 | 0x100 | 8 | true  |
                -0x100 | 0x101 | 8 | true  | 0xffffffffffffff00 with 257 bytes is not within mr#5 \
                (0xffffffffffffff00 with 256 bytes)
                0      | 1     | 8 | true  | 0x0 with 1 bytes is not within mr#5 (0xffffffffffffff00 with 256 bytes)
                0x7fffffffffffffff | 2 | 9 | true |
                0x1000 | 16    | 7 | true  | lkey=0x7 is not the key of a region of this context
                0      | 1     | 2 | false | 0x0 with 1 bytes is not within mr#7 (0x0 with 0 bytes)
                0x1000 | 16    | 0 | true  |
                0x1000 | 16    | 1 | true  | lkey=0x1 is not the key of a region of this context
                """)
    void buffers(String address, String length, int key, boolean written, String mistake) {
        names.add(UverbsObject.MR, 3, 3, List.of(),
                Map.of("lkey", 5L, "hca_va", 0x1000L, "length", 0x100L, "access_flags", 1L));
        names.add(UverbsObject.MR, 4, 4, List.of(),
                Map.of("lkey", 6L, "hca_va", 0x2000L, "length", 0x100L, "access_flags", 4L));
        names.add(UverbsObject.MR, 5, 5, List.of(),
                Map.of("lkey", 8L, "hca_va", -0x100L, "length", 0x100L, "access_flags", 1L));
        names.add(UverbsObject.MR, 6, 6, List.of(),
                Map.of("lkey", 9L, "hca_va", Long.MAX_VALUE - 7, "length", 0x10L, "access_flags", 1L));
        names.add(UverbsObject.MR, 7, 7, List.of(), Map.of("lkey", 2L)); // the trace began after its registration
        names.add(UverbsObject.MR, 8, 8, List.of(), Map.of("hca_va", 0x1000L, "length", 16L, "access_flags", 1L));
        assertThat(names.checkBuffer(Long.decode(address), Long.decode(length), key, written))
                .isEqualTo(mistake == null ? "" : mistake);
    }

    @Test
    void namesOfObjects() {
        var kinds = new ArrayList<String>();
        for (String field : List.of("pd_handle", "send_cq_handle", "a.srq_handle", "qp_handle", "ah_handle",
                "mr_handle",
                "mw_handle", "xrcd_handle", "handle", "_handle", "flow_handle", "user_handle", "pd")) {
            kinds.add(field + "=" + ObjectNames.kindOf(field));
        }
        assertThat(kinds).containsExactly(
                "pd_handle=PD", "send_cq_handle=CQ", "a.srq_handle=null", "qp_handle=QP", "ah_handle=AH",
                "mr_handle=MR", "mw_handle=MW", "xrcd_handle=XRCD", "handle=null", "_handle=null", "flow_handle=null",
                "user_handle=null", "pd=null");
        names.addFile(9, "completion channel");
        assertThat(List.of(names.file(9), names.file(8), names.file(-1), names.name(UverbsObject.CQ, 2),
                names.name(UverbsObject.CQ, -1)))
                .containsExactly("fd 9 (completion channel)", "fd 8", "none", "cq#2",
                        "cq handle 4294967295 (unknown)");
    }
}
