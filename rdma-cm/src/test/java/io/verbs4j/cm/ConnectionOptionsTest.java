// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ConnectionOptionsTest {
    @Test
    void channelsComeFromTheOptions() {
        var refusal = new IllegalStateException("from the options");
        var options = ConnectionOptions.defaults().withChannels(() -> {
            throw refusal;
        });
        var address = new InetSocketAddress("10.9.0.2", 7471);
        assertThatThrownBy(() -> DatagramPort.open(address, options)).isSameAs(refusal);
        assertThatThrownBy(() -> DatagramPort.connect(address, options)).isSameAs(refusal);
        assertThatThrownBy(() -> RdmaServer.listen(address, options)).isSameAs(refusal);
        assertThatThrownBy(() -> RdmaConnection.connect(address, options)).isSameAs(refusal);
    }
}
