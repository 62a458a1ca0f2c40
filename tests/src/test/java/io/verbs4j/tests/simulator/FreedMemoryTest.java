// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionRecord;
import io.verbs4j.LocalMemory;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ReceiveWorkRequest;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.NativeMemory;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Memory that a program frees while it is registered: work requests that need it fail, and the process lives.
class FreedMemoryTest {
    private static final int LENGTH = 4 * 4096;
    /// Several packets.
    private static final int LONG = 8000;
    private static final int OFFSET = 104;
    private static final Access[] ALL = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ,
            Access.REMOTE_ATOMIC};

    /// Memory, and what frees it.
    private record Freeable(MemorySegment segment, AutoCloseable end) {}

    /// A way in which a program gets memory and frees it again.
    private enum Kind {
        SHARED_ARENA {
            @Override
            Freeable make(Path folder) {
                Arena arena = Arena.ofShared();
                return new Freeable(arena.allocate(LENGTH, 4096), arena);
            }
        },
        CONFINED_ARENA {
            @Override
            Freeable make(Path folder) {
                Arena arena = Arena.ofConfined();
                return new Freeable(arena.allocate(LENGTH, 4096), arena);
            }
        },
        ARENA_OF_ANOTHER_THREAD {
            @Override
            Freeable make(Path folder) throws Exception {
                var owner = Executors.newSingleThreadExecutor();
                Arena arena = owner.submit(Arena::ofConfined).get();
                MemorySegment segment = owner.submit(() -> arena.allocate(LENGTH, 4096)).get();
                return new Freeable(segment, () -> {
                    owner.submit(arena::close).get();
                    owner.close();
                });
            }
        },
        SYSTEM_CALL {
            @Override
            Freeable make(Path folder) {
                MemorySegment mapped = NativeMemory.mapped(LENGTH);
                return new Freeable(mapped, () -> NativeMemory.unmap(mapped));
            }
        },
        MAPPED_FILE {
            @Override
            Freeable make(Path folder) throws IOException {
                Arena arena = Arena.ofShared();
                return new Freeable(file(folder).map(FileChannel.MapMode.READ_WRITE, 0, LENGTH, arena), arena);
            }
        },
        SHORTENED_FILE {
            @Override
            Freeable make(Path folder) throws IOException {
                FileChannel file = file(folder);
                return new Freeable(
                        file.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH, Arena.global()), () -> file.truncate(0));
            }
        };

        abstract Freeable make(Path folder) throws Exception;

        static FileChannel file(Path folder) throws IOException {
            return FileChannel.open(
                    folder.resolve("memory"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        }
    }

    @TempDir private Path folder;

    private interface Request extends BiFunction<LocalMemory, RemoteMemory, SendWorkRequest> {}

    private static Conversation conversation() {
        return new Conversation(SimulatedNetwork.inRealTime(), KernelProfile.SPECIFICATION, false, 6);
    }

    private static MemoryRegion register(Conversation.End end, Freeable memory) {
        return end.memory().protectionDomain().register(memory.segment(), ALL);
    }

    /// Runs a request before and after the peer's memory is freed, and returns how the second one ends.
    private CompletionStatus afterFreeing(Kind kind, int bytes, Request request) throws Exception {
        try (var conversation = conversation()) {
            var left = conversation.left;
            Freeable theirs = kind.make(folder);
            MemoryRegion region = register(conversation.right, theirs);
            SendWorkRequest made =
                    request.apply(left.memory().slice(0, bytes), region.remote().slice(OFFSET, bytes)).signaled();
            left.queuePair().post(made);
            assertThat(conversation.take(left, 1)).allMatch(CompletionRecord::isSuccess);
            theirs.end().close();
            left.queuePair().post(made);
            return conversation.take(left, 1).getFirst().status();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void thePeersWriteIsRefused(Kind kind) throws Exception {
        assertThat(afterFreeing(kind, LONG, (ours, theirs) -> new SendWorkRequest().write().local(ours).remote(theirs)))
                .isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void thePeersReadIsRefused(Kind kind) throws Exception {
        assertThat(afterFreeing(kind, LONG, (ours, theirs) -> new SendWorkRequest().read().local(ours).remote(theirs)))
                .isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void thePeersAtomicIsRefused(Kind kind) throws Exception {
        assertThat(afterFreeing(
                kind, Long.BYTES, (ours, theirs) -> new SendWorkRequest().fetchAndAdd(1).local(ours).remote(theirs)))
                .isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aReceiveFails(Kind kind) throws Exception {
        try (var conversation = conversation()) {
            Freeable ours = kind.make(folder);
            MemoryRegion region = register(conversation.right, ours);
            conversation.right.queuePair().postReceives(List.of(ReceiveWorkRequest.into(region.slice(0, LONG))));
            ours.end().close();
            conversation.left.queuePair()
                    .post(new SendWorkRequest().send().local(conversation.left.memory().slice(0, LONG)));
            assertThat(conversation.take(conversation.right, 1).getFirst().status())
                    .isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
            assertThat(conversation.take(conversation.left, 1).getFirst().status())
                    .isEqualTo(CompletionStatus.REMOTE_OPERATION_ERROR);
        }
    }

    @Test
    void aSendFails() throws Exception {
        try (var conversation = conversation()) {
            Freeable ours = Kind.SYSTEM_CALL.make(folder);
            MemoryRegion region = register(conversation.left, ours);
            ours.end().close();
            conversation.left.queuePair().post(new SendWorkRequest().send().local(region.slice(0, LONG)).signaled());
            assertThat(conversation.take(conversation.left, 1).getFirst().status())
                    .isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
        }
    }

    @Test
    void anInterruptedThreadCopiesMemoryThatIsThere() throws Exception {
        try (var conversation = conversation()) {
            Freeable theirs = Kind.SYSTEM_CALL.make(folder);
            MemoryRegion region = register(conversation.right, theirs);
            conversation.left.memory().segment().setString(0, "as ever");
            Thread.currentThread().interrupt();
            SendWorkRequest write = new SendWorkRequest().write()
                    .local(conversation.left.memory().slice(0, 8))
                    .remote(region.remote().slice(0, 8));
            conversation.left.queuePair().post(write.signaled());
            assertThat(Thread.interrupted()).isTrue();
            assertThat(conversation.take(conversation.left, 1)).allMatch(CompletionRecord::isSuccess);
            assertThat(theirs.segment().getString(0)).isEqualTo("as ever");
            region.close();
            theirs.end().close();
        }
    }
}
