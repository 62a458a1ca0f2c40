// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.ResolveAddress;
import io.verbs4j.abi.cm.ResolveRoute;
import io.verbs4j.abi.host.Host;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Connects by a connection manager that does not answer in time, or answers with another event. The error names the
/// missing step, and the channel is closed.
@Timeout(60)
class UnansweredCommandsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.ofLiteral("10.9.0.2"), 7471);
    private static final Duration NONE = Duration.ZERO;

    private final PlayedConnectionManager kernel = new PlayedConnectionManager();
    private final Host.Replacement replacement = Host.replaceCurrent((Host) Proxy.newProxyInstance(
            Host.class.getClassLoader(), new Class<?>[]{Host.class}, (_, method, _) -> {
                assertThat(method.getName()).isEqualTo("openNonBlocking");
                return kernel;
            }));

    private enum Layer {
        CONNECTION, DATAGRAMS;

        void connect(ConnectionOptions options) throws InterruptedException {
            if (this == CONNECTION) {
                RdmaConnection.connect(ADDRESS, options);
            } else {
                DatagramPort.connect(ADDRESS, options);
            }
        }
    }

    @AfterEach
    void theChannelIsClosed() {
        replacement.close();
        assertThat(kernel.isClosed()).isTrue();
    }

    private static ConnectionOptions within(Duration timeout) {
        return ConnectionOptions.defaults().withTimeout(timeout);
    }

    private void assertTimeout(Layer layer, Duration timeout, String hint) {
        assertThatThrownBy(() -> layer.connect(within(timeout)))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                .hasMessage(
                        "connect to 10.9.0.2:7471 failed: " + Errno.describe(Errno.ETIMEDOUT) + ": not done after "
                                + timeout.toMillis() + " ms; " + hint);
    }

    @ParameterizedTest
    @EnumSource
    void aNeighbourThatIsSilent(Layer layer) {
        kernel.answer(ResolveRoute.COMMAND, CmEventCode.ROUTE_RESOLVED, NONE);
        assertTimeout(layer, Duration.ofMillis(20), "the neighbour has not answered");
        assertThat(kernel.timeouts()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aRouteThatIsNotResolved(Layer layer) {
        kernel.answer(ResolveAddress.COMMAND, CmEventCode.ADDR_RESOLVED, NONE);
        assertTimeout(layer, Duration.ofMillis(300), "the route is not resolved");
        assertThat(kernel.timeouts().getLast()).isBetween(1, 300);
    }

    /// The kernel refuses a timeout of 0.
    @Test
    void noTimeIsLeftForTheRoute() {
        kernel.answer(ResolveAddress.COMMAND, CmEventCode.ADDR_RESOLVED, Duration.ofMillis(5));
        assertTimeout(Layer.CONNECTION, Duration.ofMillis(3), "the route is not resolved");
        assertThat(kernel.timeouts().getLast()).isOne();
    }

    @Test
    void anotherEventIsNamed() {
        kernel.answer(ResolveAddress.COMMAND, CmEventCode.ROUTE_RESOLVED, NONE);
        assertThatThrownBy(() -> Layer.CONNECTION.connect(within(Duration.ofSeconds(20))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("connect to 10.9.0.2:7471: unexpected event ")
                .hasMessageEndingWith(" instead of AddressResolved");
    }

    /// Such an event may arrive at any time, for example after the failover of a bond.
    @ParameterizedTest
    @EnumSource(names = {"ADDR_CHANGE", "USER", "ADDRINFO_RESOLVED"})
    void anEventThatIsNoStepIsIgnored(CmEventCode code) {
        kernel.answer(ResolveAddress.COMMAND, code, NONE);
        assertTimeout(Layer.CONNECTION, Duration.ofMillis(20), "the neighbour has not answered");
    }

    @Test
    void aFailureIsNamed() {
        kernel.answer(ResolveAddress.COMMAND, CmEventCode.DEVICE_REMOVAL, NONE);
        assertThatThrownBy(() -> Layer.CONNECTION.connect(within(Duration.ofSeconds(20))))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV));
    }
}
