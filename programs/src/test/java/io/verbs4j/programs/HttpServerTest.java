// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// The JDK's HTTP server, whose threads are virtual.
class HttpServerTest {
    private static final int PORT = 22_304;

    @Test
    void serves() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(Transports.HOST, PORT), 0);
        server.createContext("/", exchange -> {
            byte[] body;
            try (InputStream request = exchange.getRequestBody()) {
                body = request.readAllBytes();
            }
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream response = exchange.getResponseBody()) {
                response.write(body);
            }
        });
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.setExecutor(threads);
            server.start();
            try {
                HttpCalls.check(PORT);
            } finally {
                server.stop(0);
            }
        }
    }
}
