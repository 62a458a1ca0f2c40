// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import com.sun.net.httpserver.HttpServer;

/// The JDK's HTTP server, which answers each request with its body.
final class HttpEcho {
    private HttpEcho() {}

    static void start(HttpServer server) {
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
    }
}
