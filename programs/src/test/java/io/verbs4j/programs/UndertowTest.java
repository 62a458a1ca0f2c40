// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import io.undertow.Undertow;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class UndertowTest {
    private static final int PORT = 22_303;

    @Test
    void serves() throws Exception {
        Undertow server = Undertow.builder()
                .addHttpListener(PORT, Transports.HOST)
                .setHandler(exchange -> exchange.getRequestReceiver()
                        .receiveFullBytes((answered, body) -> answered.getResponseSender().send(ByteBuffer.wrap(body))))
                .build();
        server.start();
        try {
            HttpCalls.check(PORT);
        } finally {
            server.stop();
        }
    }
}
