// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The timeouts of attempts, and the events after which there is no further attempt.
class AddressResolutionTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.ofLiteral("10.9.0.2"), 7471);

    private final PlayedConnectionManager kernel = new PlayedConnectionManager();
    private final EventChannel channel = EventChannel.of(kernel);
    private final Identifier identifier = channel.create(PortSpace.TCP);
    private final CmEvent silence = new CmEvent.AddressFailed(identifier, -Errno.ETIMEDOUT);

    @Test
    void eachAttemptTakesTwiceAsLongUntilTheTimeIsOver() {
        var resolution = AddressResolution.begin(identifier, null, ADDRESS, Duration.ofHours(1));
        int attempts = 1;
        while (resolution.retry(silence)) {
            attempts++;
        }
        // 50 ms, 100 ms and so on to 55 minutes; the 18th would be longer than an hour
        assertThat(attempts).isEqualTo(kernel.timeouts().size()).isEqualTo(18);
        for (int i = 0; i < attempts - 1; i++) {
            assertThat(kernel.timeouts().get(i)).isEqualTo(50 << i);
        }
        assertThat(kernel.timeouts().getLast()).as("the time that is left").isBetween(3_500_000, 3_600_000);
    }

    @Test
    void aShortTimeIsOneAttempt() {
        var resolution = AddressResolution.begin(identifier, null, ADDRESS, Duration.ofMillis(40));
        assertThat(resolution.retry(silence)).isFalse();
        assertThat(kernel.timeouts()).hasSize(1).allMatch(timeout -> timeout > 0 && timeout <= 40);
    }

    @Test
    void otherEventsAreFinal() {
        var resolution = AddressResolution.begin(identifier, ADDRESS, ADDRESS, Duration.ofHours(1));
        for (CmEvent event : List.of(
                new CmEvent.AddressResolved(identifier),
                new CmEvent.AddressFailed(identifier, -Errno.EHOSTUNREACH),
                new CmEvent.RouteFailed(identifier, -Errno.ETIMEDOUT),
                new CmEvent.AddressFailed(channel.create(PortSpace.TCP), -Errno.ETIMEDOUT))) {
            assertThat(resolution.retry(event)).as("%s", event).isFalse();
        }
        assertThat(kernel.timeouts()).containsExactly(50);
        assertThat(resolution.retry(silence)).isTrue();
        assertThat(kernel.timeouts()).containsExactly(50, 100);
    }
}
