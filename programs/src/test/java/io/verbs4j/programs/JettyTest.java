// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

class JettyTest {
    private static final int PORT = 22_301;

    private static final class Echo extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            response.write(true, Content.Source.asByteBuffer(request), callback);
            return true;
        }
    }

    @Test
    void serves() throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost(Transports.HOST);
        connector.setPort(PORT);
        server.addConnector(connector);
        server.setHandler(new Echo());
        server.start();
        try {
            HttpCalls.check(PORT);
        } finally {
            server.stop();
        }
    }
}
