// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tests.walks.WalkSearch;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;

/// The model of connections, without a kernel: walks go everywhere, and can fail.
class ConnectionModelTest {
    private static final int WALKS = 300;

    private static WalkSearch<List<Command>> search(Supplier<ConnectionDevice> device) {
        return new WalkSearch<>(
                ConnectionWalks::of,
                (walk, _) -> ConnectionWalkRun.take(walk, device.get(), Duration.ZERO),
                Duration.ofSeconds(2));
    }

    @Test
    void aDeviceThatDoesWhatTheModelSaysPasses() {
        search(ConnectionModel::new).run(1, WALKS, Duration.ZERO);
    }

    private static void caught(Supplier<ConnectionDevice> device) {
        assertThatThrownBy(() -> search(device).run(1, WALKS, Duration.ZERO))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("These steps show it");
    }

    @Test
    void anotherErrorNumberIsCaught() {
        caught(() -> new ConnectionModel() {
            @Override
            public String perform(Command command) {
                return super.perform(command).replace("EADDRINUSE", "EADDRNOTAVAIL");
            }
        });
    }

    @Test
    void aForgottenEventIsCaught() {
        for (String event : List.of("disconnected 0", "rejected 28", "established", "unreachable 2")) {
            caught(() -> new ConnectionModel() {
                @Override
                public List<String> events() {
                    return super.events().stream().filter(each -> !each.contains(event)).toList();
                }
            });
        }
    }

    @Test
    void anEventOnTheOtherChannelIsCaught() {
        caught(() -> new ConnectionModel() {
            @Override
            public List<String> events() {
                return super.events().stream().map(each -> each.replaceFirst("^0 (.*established)", "1 $1")).toList();
            }
        });
    }

    @Test
    void aSpoiledByteIsCaught() {
        caught(() -> new ConnectionModel() {
            @Override
            public List<String> events() {
                return super.events().stream()
                        .map(each -> each.replaceFirst("(response 196 [0-9a-f]+)[0-9a-f]", "$10"))
                        .toList();
            }
        });
    }

    @Test
    void anotherAddressIsCaught() {
        caught(() -> new ConnectionModel() {
            @Override
            public String addresses(int number) {
                return super.addresses(number).replaceFirst("to (.*):25003", "to $1:*");
            }
        });
    }

    /// Chance brings all there is to see.
    @Test
    void walksGoEverywhere() {
        var seen = new TreeSet<String>();
        JqwikSession.run(() -> {
            for (long seed = 1; seed <= WALKS; seed++) {
                for (var taken : ConnectionWalkRun.take(
                        ConnectionWalks.of(seed).value(), new ConnectionModel(), Duration.ZERO)) {
                    seen.add(taken.command().kind() + " " + taken.outcome());
                    taken.events().forEach(event -> seen.add(event.replaceAll("^. #\\d+ |#\\d+ | [0-9a-f]*$", "")));
                }
            }
        });
        assertThat(seen)
                .contains(
                        "BIND done", "BIND EINVAL", "BIND EADDRINUSE", "BIND EADDRNOTAVAIL", "RESOLVE_ADDRESS done",
                        "RESOLVE_ADDRESS EINVAL", "RESOLVE_ADDRESS ENETUNREACH", "RESOLVE_ROUTE done",
                        "RESOLVE_ROUTE EINVAL", "LISTEN done", "LISTEN EINVAL", "CONNECT done",
                        "CONNECT EINVAL", "ACCEPT done", "ACCEPT EINVAL", "CONFIRM done", "CONFIRM EINVAL",
                        "REJECT done", "REJECT EINVAL", "DISCONNECT done", "DISCONNECT EINVAL",
                        "ATTRIBUTES_INIT done", "ATTRIBUTES_INIT EINVAL", "ATTRIBUTES_RTR done",
                        "ATTRIBUTES_RTS EINVAL", "MIGRATE done", "CLOSE done", "REUSE_ADDRESS done",
                        "REUSE_ADDRESS EINVAL", "CREATE_DATAGRAMS done")
                .contains(
                        "address resolved", "route resolved", "request 56", "request 180", "response 196",
                        "established", "datagrams 136", "disconnected", "rejected 8 148", "rejected 28 148",
                        "unreachable");
    }
}
