// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import static io.verbs4j.tools.doctor.acceptance.Peer.request;
import static io.verbs4j.tools.doctor.acceptance.Peer.require;

import io.verbs4j.CompletionRecord;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.Feature;

/// Checks memory windows and the invalidation of keys.
record KeyChecks(Bench bench, Checklist list) {
    private static final int LENGTH = 128;

    void run() {
        for (MemoryWindow.Type type : MemoryWindow.Type.values()) {
            Feature feature = type == MemoryWindow.Type.TYPE_1
                    ? Feature.MEMORY_WINDOW_TYPE_1
                    : Feature.MEMORY_WINDOW_TYPE_2;
            String name = type == MemoryWindow.Type.TYPE_1 ? "type 1" : "type 2";
            list.check("memory window: write through " + name, bench, feature, () -> writeThrough(type));
        }
        list.check("memory window: local invalidation", bench, Feature.MEMORY_WINDOW_TYPE_2, this::localInvalidation);
        list.check("memory window: invalidation by the peer", bench, Feature.MEMORY_WINDOW_TYPE_2,
                this::invalidationByPeer);
        list.optional("memory: invalidation of a region by the peer", this::invalidationOfARegion);
    }

    private String writeThrough(MemoryWindow.Type type) throws InterruptedException {
        Pair pair = bench.common();
        try (MemoryWindow window = bench.domain().allocateMemoryWindow(type)) {
            bind(pair, window);
            write(pair, window);
        }
        return "";
    }

    /// Binds a window to the start of the right peer's memory, through the right queue pair.
    private static void bind(Pair pair, MemoryWindow window) throws InterruptedException {
        pair.right()
                .post(request(1).bind(window, Access.REMOTE_READ, Access.REMOTE_WRITE)
                        .local(pair.right().memory().slice(0, LENGTH)));
        pair.right().success(1, CompletionOpcode.BIND_MEMORY_WINDOW);
    }

    private static void write(Pair pair, MemoryWindow window) throws InterruptedException {
        pair.prepare(0, LENGTH, window.remoteKey());
        pair.left()
                .post(request(2).write()
                        .local(pair.left().memory(), 0, LENGTH)
                        .remote(window.remote(pair.right().memory(), 0, LENGTH)));
        pair.left().success(2, CompletionOpcode.RDMA_WRITE);
        pair.requireSame(0, LENGTH);
    }

    private String localInvalidation() throws InterruptedException {
        Pair pair = bench.common();
        try (MemoryWindow window = bench.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2)) {
            bind(pair, window);
            write(pair, window);
            pair.right().post(request(3).invalidate(window.remoteKey()));
            pair.right().success(3, CompletionOpcode.LOCAL_INVALIDATE);
            requireClosed(pair, window);
        }
        return "";
    }

    private String invalidationByPeer() throws InterruptedException {
        Pair pair = bench.common();
        try (MemoryWindow window = bench.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2)) {
            bind(pair, window);
            write(pair, window);
            pair.right().receive(4, 0, 8);
            pair.left().post(request(5).send().invalidating(window.remoteKey()).local(pair.left().memory(), 0, 8));
            CompletionRecord received = pair.right().success(4, CompletionOpcode.RECEIVE);
            require(
                    received.hasInvalidatedKey() && received.invalidatedKey() == window.remoteKey(),
                    "the receiver does not get the key: " + received);
            pair.left().success(5, CompletionOpcode.SEND);
            requireClosed(pair, window);
        }
        return "";
    }

    /// Checks that the window's key no longer permits access. The attempt ends the connection.
    private void requireClosed(Pair pair, MemoryWindow window) throws InterruptedException {
        try {
            pair.left()
                    .post(request(6).write()
                            .local(pair.left().memory(), 0, 8)
                            .remote(window.remote(pair.right().memory(), 0, 8)));
            CompletionRecord refused = pair.left().next();
            require(!refused.isSuccess(), "the key still permits access");
        } finally {
            bench.discard();
        }
    }

    /// Checks a case that the kernel leaves to drivers: iWARP accepts such keys, rxe ends the connection.
    private String invalidationOfARegion() throws InterruptedException {
        Pair pair = bench.common();
        try (MemoryRegion region = bench.domain().allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE)) {
            pair.right().receive(1, 0, 8);
            pair.left().post(request(2).send().invalidating(region.remoteKey()).local(pair.left().memory(), 0, 8));
            CompletionRecord received = pair.right().next();
            pair.left().success(2, CompletionOpcode.SEND);
            return received.isSuccess() ? "the device accepts it" : "the device refuses it: " + received.status();
        } finally {
            bench.discard();
        }
    }
}
