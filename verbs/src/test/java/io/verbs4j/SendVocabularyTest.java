// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Checks the requests that a provider gets of a description, by a batch and by a value.
class SendVocabularyTest {
    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(device);
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE);
    private final MemoryRegion readOnly = domain.allocate(64);
    private final RemoteMemory remote = new RemoteMemory(4096, 32, 7);
    private final MemorySegment text = MemorySegment.ofArray(new byte[]{1, 2, 3, 4, 5});
    private final ScatterGatherList list = new ScatterGatherList().add(100, 8, 1).add(200, 16, 2);
    private final CompletionQueue queue = context.createCompletionQueue(16);
    private final Recorder recorder = new Recorder();
    private final SendBatch batch = batch(domain.reliableConnection(queue).create(), false);

    @AfterEach
    void close() {
        context.close();
        device.free();
    }

    /// A description that a batch or a value may start.
    private interface Description {
        <S extends SendOperations<S>> S of(S start);
    }

    private <S extends SendOperations<S>> S parts(S start) {
        return start.signaled()
                .workRequestId(5)
                .write()
                .local(memory.slice(0, 8), memory.slice(16, 8))
                .remote(remote, 16);
    }

    private <S extends SendOperations<S>> S region(S start) {
        return start.read().local(memory, 8, 16).remote(remote).fence();
    }

    private <S extends SendOperations<S>> S copy(S start) {
        return start.send().inline(text, 1, 3).immediate(0xcafe).solicited();
    }

    private <S extends SendOperations<S>> S rawList(S start) {
        return start.write().local(list).remote(1L << 40, 9).immediate(3);
    }

    private <S extends SendOperations<S>> S rawCopy(S start) {
        return start.write().inline(text).remote(1L << 40, 9);
    }

    private <S extends SendOperations<S>> S rawBuffer(S start) {
        return start.send().local(300, 4, 8).invalidating(17);
    }

    private <S extends SendOperations<S>> S nothing(S start) {
        return start.send();
    }

    private <S extends SendOperations<S>> S swap(S start) {
        return start.compareAndSwap(3, 4).local(memory, 8, Long.BYTES).remote(remote, 8);
    }

    private <S extends SendOperations<S>> S add(S start) {
        return start.fetchAndAdd(-1).local(memory, 0, Long.BYTES).remote(remote);
    }

    private <S extends SendOperations<S>> S atomicWrite(S start) {
        return start.atomicWrite(99).remote(remote, 24);
    }

    private <S extends SendOperations<S>> S flush(S start) {
        return start.flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE).remote(remote, 4).workRequestId(2);
    }

    private <S extends SendOperations<S>> S invalidate(S start) {
        return start.invalidate(44).signaled();
    }

    @Test
    void reachesTheProviderAsDescribed() {
        batch.begin();
        long at = memory.address();
        int key = memory.localKey();
        assertPosted(this::parts,
                "RDMA_WRITE id=5 flags=2 data=0 remote=4112/7 list " + at + "+8/" + key + " " + (at + 16)
                        + "+8/" + key);
        assertPosted(this::region, "RDMA_READ id=0 flags=1 data=0 remote=4096/7 buffer " + (at + 8) + "+16/" + key);
        assertPosted(this::copy, "SEND_WITH_IMMEDIATE id=0 flags=4 data=51966 remote=0/0 inline 020304");
        assertPosted(this::rawList,
                "RDMA_WRITE_WITH_IMMEDIATE id=0 flags=0 data=3 remote=1099511627776/9 list 100+8/1 200+16/2");
        assertPosted(this::rawCopy, "RDMA_WRITE id=0 flags=0 data=0 remote=1099511627776/9 inline 0102030405");
        assertPosted(this::rawBuffer, "SEND_WITH_INVALIDATE id=0 flags=0 data=17 remote=0/0 buffer 300+4/8");
        assertPosted(this::nothing, "SEND id=0 flags=0 data=0 remote=0/0 buffer 0+0/0");
        assertPosted(this::swap,
                "COMPARE_AND_SWAP id=0 flags=0 data=0 remote=4104/7 3 4 buffer " + (at + 8) + "+8/" + key);
        assertPosted(this::add, "FETCH_AND_ADD id=0 flags=0 data=0 remote=4096/7 -1 0 buffer " + at + "+8/" + key);
        assertPosted(this::atomicWrite, "ATOMIC_WRITE id=0 flags=0 data=0 remote=4120/7 99 0 plain");
        assertPosted(this::flush, "FLUSH id=2 flags=0 data=0 remote=4100/7 28 1 0 plain");
        assertPosted(this::invalidate, "LOCAL_INVALIDATE id=0 flags=2 data=44 remote=0/0 plain");
    }

    /// By a batch, by a value, and by a batch that takes an older description's place.
    private void assertPosted(Description description, String expected) {
        assertThat(description.of(batch).post()).isTrue();
        assertThat(recorder.taken()).containsExactly(expected);
        SendWorkRequest value = description.of(new SendWorkRequest());
        assertThat(batch.post(value)).isTrue();
        assertThat(batch.like(value).post()).isTrue();
        assertThat(recorder.taken()).containsExactly(expected, expected);
    }

    @Test
    void isDescribedInAnyOrder() {
        batch.begin();
        batch.remote(remote).workRequestId(1).local(memory, 0, 8).signaled().read().post();
        batch.read().signaled().local(memory, 0, 8).workRequestId(1).remote(remote).post();
        assertThat(recorder.posted.get(0)).isEqualTo(recorder.posted.get(1)).startsWith("RDMA_READ id=1 flags=2");
    }

    @Test
    void ofAValueStaysAsItWasWhateverIsMadeOfIt() {
        var bytes = new byte[]{1, 2};
        SendWorkRequest write = new SendWorkRequest().write().inline(MemorySegment.ofArray(bytes)).remote(remote);
        SendWorkRequest listed = new SendWorkRequest().send().local(list);
        bytes[0] = 9;
        list.clear();
        assertThat(write.workRequestId(8).signaled().immediate(3)).isNotSameAs(write);
        batch.begin();
        batch.like(write).workRequestId(4).local(memory, 0, 4).remote(remote, 8).post();
        batch.post(write);
        batch.post(listed);
        assertThat(recorder.taken())
                .containsExactly(
                        "RDMA_WRITE id=4 flags=0 data=0 remote=4104/7 buffer " + memory.address() + "+4/"
                                + memory.localKey(),
                        "RDMA_WRITE id=0 flags=0 data=0 remote=4096/7 inline 0102",
                        "SEND id=0 flags=0 data=0 remote=0/0 list 100+8/1 200+16/2");
    }

    @Test
    void isRefusedBeforeTheProviderSeesItIfItsPartsDoNotFit() {
        batch.begin();
        refused(to -> to.signaled().post(), IllegalStateException.class, "no operation");
        refused(to -> to.send().write().post(), IllegalStateException.class, "SEND is described and not posted");
        refused(to -> to.send().remote(remote).post(), IllegalArgumentException.class, "takes no remote memory");
        refused(to -> to.write().local(memory, 0, 8).post(), IllegalArgumentException.class, "needs remote memory");
        refused(to -> to.flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE).post(), IllegalArgumentException.class,
                "needs remote memory");
        refused(to -> to.atomicWrite(1).remote(remote, 25).post(), IndexOutOfBoundsException.class, "of 7 bytes");
        refused(to -> to.write().remote(remote, 33).post(), IndexOutOfBoundsException.class, "remoteOffset=33");
        refused(to -> to.read().immediate(1).local(memory, 0, 8).remote(remote).post(), IllegalArgumentException.class,
                "RDMA_READ cannot have these modifiers");
        refused(to -> to.send().immediate(1).invalidating(1).post(), IllegalArgumentException.class, "one of the two");
        refused(to -> to.read().local(readOnly, 0, 8).remote(remote).post(), IllegalArgumentException.class,
                "RDMA_READ writes to local memory (lkey 0x" + Integer.toHexString(readOnly.localKey())
                        + "), which lacks LOCAL_WRITE");
        refused(to -> to.read().local(readOnly.slice(0, 8), memory.slice(0, 8)).remote(remote).post(),
                IllegalArgumentException.class, "RDMA_READ writes to local memory, which lacks LOCAL_WRITE");
        refused(to -> to.invalidate(1).local(memory, 0, 8).post(), IllegalArgumentException.class,
                "takes no local memory");
        refused(to -> to.operation(WorkRequestOpcode.BIND_MEMORY_WINDOW).local(memory, 0, 8).post(),
                IllegalArgumentException.class, "window");
        refused(to -> to.flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE).remote(1, 2).post(),
                IllegalArgumentException.class, "remote.length");
    }

    private void refused(Function<SendBatch, Boolean> post, Class<? extends Throwable> type, String why) {
        assertThatThrownBy(() -> post.apply(batch.workRequestId(3))).isInstanceOf(type).hasMessageContaining(why);
        assertThat(recorder.taken()).isEmpty();
        batch.send().post();
        assertThat(recorder.taken()).containsExactly("SEND id=0 flags=0 data=0 remote=0/0 buffer 0+0/0");
    }

    @Test
    void thatWasNotPostedIsNotSubmittedUnnoticed() {
        batch.begin();
        batch.send().post();
        batch.send();
        assertThatThrownBy(batch::submit).isInstanceOf(IllegalStateException.class).hasMessageContaining("not posted");
        batch.post();
        assertThat(batch.submit()).isEqualTo(2);
    }

    @Test
    void bindsNoWindowOfAnEarlierWorkRequest() {
        var bindable = domain.allocate(8, Access.MEMORY_WINDOW_BIND);
        var window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        batch.begin();
        batch.bind(window, Access.REMOTE_READ).local(bindable, 0, 8).post();
        recorder.taken();
        refused(to -> to.operation(WorkRequestOpcode.BIND_MEMORY_WINDOW).local(bindable, 0, 8).post(),
                IllegalArgumentException.class, "needs a window");
    }

    @Test
    void ofADatagramHasADestination() {
        var datagrams = batch(domain.datagram(queue).create(), true);
        var handle = domain.createAddressHandle(AddressVector.roce(1, 1, new Gid(0, 1)));
        datagrams.begin();
        datagrams.post(new SendWorkRequest().send().to(handle, 17, 5));
        datagrams.send().to(handle, 17, 5).post();
        assertThat(recorder.taken())
                .containsOnly("SEND id=0 flags=0 data=0 remote=0/0 to 17/5 buffer 0+0/0")
                .hasSize(2);
        assertThatThrownBy(() -> datagrams.post(new SendWorkRequest().write().to(handle, 17, 5).remote(remote)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("can only send");
        assertThatThrownBy(() -> datagrams.send().post()).hasMessageContaining("needs a destination");
        assertThatThrownBy(() -> datagrams.send().to(handle, 17, 5).remote(remote).post())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("takes no remote memory");
        var tooLong = new ScatterGatherList().add(0, 1 << 30, 1).add(0, 1 << 30, 1);
        assertThatThrownBy(() -> datagrams.send().to(handle, 17, 5).local(tooLong).post())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("length=2147483648");
        batch.begin();
        assertThatThrownBy(() -> batch.post(new SendWorkRequest().send().to(handle, 17, 5)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("only datagrams have a destination");
    }

    private SendBatch batch(QueuePair queuePair, boolean datagram) {
        return new SendBatch(queuePair, domain, recorder, datagram, new BatchLock("batch of a test", false));
    }

    /// Writes down what it is asked to post.
    private static final class Recorder extends SendQueueOps {
        private final List<String> posted = new ArrayList<>();
        private int count;

        List<String> taken() {
            var all = List.copyOf(posted);
            posted.clear();
            return all;
        }

        private int note(SendRequest request, String payload) {
            int opcode = request.opcode();
            String operands = switch (opcode) {
                case WorkRequestOpcode.COMPARE_AND_SWAP, WorkRequestOpcode.FETCH_AND_ADD,
                        WorkRequestOpcode.ATOMIC_WRITE ->
                    request.operand() + " " + request.swap() + " ";
                case WorkRequestOpcode.FLUSH ->
                    request.flushLength() + " " + request.flushType() + " " + request.flushLevel() + " ";
                default -> request.addressHandle() == null ? ""
                        : "to " + request.remoteQueuePair() + "/" + request.remoteQkey() + " ";
            };
            posted.add(WorkRequestOpcode.name(opcode) + " id=" + request.workRequestId() + " flags=" + request.flags()
                    + " data=" + request.immediateDataOrKey() + " remote=" + request.remoteAddress() + "/"
                    + request.remoteKey() + " " + operands + payload);
            count++;
            return PostResult.POSTED;
        }

        @Override
        public int post(SendRequest request, long address, int length, int lkey) {
            return note(request, "buffer " + address + "+" + length + "/" + lkey);
        }

        @Override
        public int post(SendRequest request, ScatterGatherList list) {
            var text = new StringBuilder("list");
            for (int i = 0; i < list.size(); i++) {
                text.append(' ')
                        .append(list.address(i))
                        .append('+')
                        .append(list.length(i))
                        .append('/')
                        .append(list.lkey(i));
            }
            return note(request, text.toString());
        }

        @Override
        public int postInline(SendRequest request, MemorySegment source, long offset, int length) {
            return note(request,
                    "inline " + HexFormat.of().formatHex(source.asSlice(offset, length).toArray(JAVA_BYTE)));
        }

        @Override
        public int post(SendRequest request) {
            return note(request, "plain");
        }

        @Override
        public int capacity() {
            return 100;
        }

        @Override
        public int maxScatterGather() {
            return 8;
        }

        @Override
        public int maxInlineData() {
            return 64;
        }

        @Override
        public void begin() {
            count = 0;
        }

        @Override
        public int publish() {
            return count;
        }

        @Override
        public void abandon() {
            count = 0;
        }

        @Override
        public int doorbell() {
            return 0;
        }
    }
}
