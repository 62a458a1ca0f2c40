// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// In each situation, each method of a selector has the same result as the JDK's method, over RDMA and over TCP.
@Timeout(60)
class SelectorSameAsJdkTest {
    /// Timeout in milliseconds for an event that must arrive.
    private static final long LONG = 20_000;

    private static void addCalls(LinkedHashMap<String, Callable<Object>> calls, String when, Selector selector) {
        Consumer<SelectionKey> nothing = _ -> {};
        calls.put("isOpen " + when, selector::isOpen);
        calls.put("selectNow " + when, selector::selectNow);
        calls.put("selectNow of an action " + when, () -> selector.selectNow(nothing));
        calls.put("selectNow of null " + when, () -> selector.selectNow(null));
        calls.put("select of null " + when, () -> selector.select((Consumer<SelectionKey>) null));
        calls.put("select of null and a timeout " + when, () -> selector.select(null, 1));
        calls.put("select of a wrong timeout " + when, () -> selector.select(-1));
        calls.put("select of an action and a wrong timeout " + when, () -> selector.select(nothing, -1));
        calls.put("select of a timeout " + when, () -> selector.select(1));
        calls.put("keys " + when, () -> selector.keys().size());
        calls.put("selectedKeys " + when, () -> selector.selectedKeys().size());
        calls.put("add to keys " + when, () -> selector.keys().add(null));
        calls.put("clear keys " + when, () -> {
            selector.keys().clear();
            return 0;
        });
        calls.put("wakeup " + when, () -> selector.wakeup() == selector);
    }

    private static Object within(Selector selector, SelectionKey key, Callable<Object> call) throws Exception {
        var results = new ArrayList<String>();
        int count = selector.select(selected -> {
            var calls = new LinkedHashMap<String, Callable<Object>>();
            calls.put("key " + selected.equals(key) + " " + selected.readyOps(), call);
            SameAsJdkTest.add("call", calls, results);
        }, LONG);
        return count + " " + results;
    }

    private static List<String> results(SelectorProvider provider, Places place) throws Exception {
        var results = new ArrayList<String>();
        try (
                Selector selector = provider.openSelector();
                Selector second = provider.openSelector();
                ServerSocketChannel server = provider.openServerSocketChannel().bind(place.address());
                SocketChannel here = provider.openSocketChannel()) {
            here.connect(server.getLocalAddress());
            var calls = new LinkedHashMap<String, Callable<Object>>();
            try (SocketChannel there = server.accept()) {
                calls.put("register blocking", () -> here.register(selector, SelectionKey.OP_READ));
                SameAsJdkTest.add("selector", calls, results);
                here.configureBlocking(false);
                calls.clear();
                calls.put("register for accept", () -> here.register(selector, SelectionKey.OP_ACCEPT));
                SameAsJdkTest.add("selector", calls, results);
                SelectionKey key = here.register(selector, 0, "attached");
                addWork(calls, selector, second, key, there);
                SameAsJdkTest.add("selector", calls, results);
            }
        }
        return results;
    }

    private static void addWork(
            LinkedHashMap<String, Callable<Object>> calls,
            Selector selector,
            Selector second,
            SelectionKey key,
            SocketChannel there) {
        SocketChannel here = (SocketChannel) key.channel();
        calls.clear();
        addCalls(calls, "without readiness", selector);
        calls.put("wakeup ends a select", () -> selector.wakeup().select());
        calls.put("attachment", key::attachment);
        calls.put("keyFor", () -> here.keyFor(selector) == key);
        calls.put("wrong interest", () -> key.interestOps(SelectionKey.OP_CONNECT | SelectionKey.OP_ACCEPT));
        calls.put("interest in writing", () -> key.interestOps(SelectionKey.OP_WRITE).interestOps());
        calls.put("select without limit", selector::select);
        calls.put("select what is selected", () -> selector.select(1));
        calls.put("isWritable", key::isWritable);
        calls.put("more interest", () -> key.interestOpsOr(SelectionKey.OP_READ));
        calls.put("more readiness", () -> {
            there.write(ByteBuffer.allocate(1));
            int updated;
            do { // a select returns at once, since the channel is writable
                updated = selector.selectNow();
            } while (updated == 0);
            return updated;
        });
        calls.put("readyOps", key::readyOps);
        addCalls(calls, "with readiness", selector);
        calls.put("remove a selected key", () -> selector.selectedKeys().remove(key));
        calls.put("select within an action", () -> within(selector, key, selector::selectNow));
        calls.put("keys within an action", () -> within(selector, key, () -> selector.keys().size()));
        calls.put("action for both", () -> within(selector, key, () -> key.interestOpsAnd(SelectionKey.OP_READ)));
        calls.put("action for one", () -> within(selector, key, key::interestOps));
        calls.put("action without a limit", () -> selector.select(_ -> {}));
        calls.put("action that fails", () -> selector.select(_ -> {
            throw new ArithmeticException();
        }));
        calls.put("select after a failure", () -> selector.select(LONG));
        calls.put("interrupted select", () -> {
            selector.selectedKeys().clear();
            key.interestOps(0);
            Thread.currentThread().interrupt();
            return selector.select() + " " + Thread.interrupted();
        });
        calls.put("register with a second", () -> here.register(second, SelectionKey.OP_READ).isValid());
        calls.put("select of the second", () -> second.select(LONG));
        calls.put("cancel", () -> {
            key.cancel();
            return key.isValid();
        });
        calls.put("interest of a cancelled key", () -> key.interestOps(0));
        calls.put("readiness of a cancelled key", key::readyOps);
        calls.put("register again", () -> here.register(selector, SelectionKey.OP_READ));
        calls.put("flush", selector::selectNow);
        calls.put("isRegistered", here::isRegistered);
        calls.put("block", () -> here.configureBlocking(true));
        calls.put("register again after the flush", () -> here.register(selector, SelectionKey.OP_READ).isValid());
        calls.put("select again", () -> selector.select(LONG));
        calls.put("close within an action", () -> within(selector, key, () -> {
            selector.close();
            return selector.isOpen();
        }));
        addCalls(calls, "closed", selector);
        calls.put("register closed", () -> here.register(selector, SelectionKey.OP_READ));
        calls.put("close twice", () -> {
            selector.close();
            return here.isRegistered();
        });
    }

    @ParameterizedTest
    @EnumSource
    void eachCallHasTheResultOfTheJdks(Places place) throws Exception {
        assertThat(results(new RdmaSelectorProvider(), place)).isEqualTo(results(JdkProvider.get(), Places.TCP));
    }
}
