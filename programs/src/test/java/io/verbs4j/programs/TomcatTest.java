// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TomcatTest {
    private static final int PORT = 22_302;
    private static final int LENGTH = 2_000_000;

    @TempDir Path folder;

    /// Answers a POST with its body, and a GET with a file, which Tomcat sends by `FileChannel.transferTo`.
    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient Path file;

        Echo(Path file) {
            this.file = file;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            assertThat(request.getAttribute("org.apache.tomcat.sendfile.support")).isEqualTo(true);
            response.setContentLength(LENGTH);
            request.setAttribute("org.apache.tomcat.sendfile.filename", file.toString());
            request.setAttribute("org.apache.tomcat.sendfile.start", 0L);
            request.setAttribute("org.apache.tomcat.sendfile.end", (long) LENGTH);
        }
    }

    @Test
    void serves() throws Exception {
        byte[] content = new byte[LENGTH];
        new Random(LENGTH).nextBytes(content);
        Path file = Files.write(folder.resolve("file"), content).toRealPath();
        var tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        var connector = new Connector();
        connector.setProperty("address", Transports.HOST);
        connector.setPort(PORT);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "echo", new Echo(file));
        context.addServletMappingDecoded("/*", "echo");
        tomcat.start();
        try {
            HttpCalls.check(PORT);
            try (HttpClient client = HttpClient.newHttpClient()) {
                URI uri = URI.create("http://" + Transports.HOST + ":" + PORT + "/");
                var request = HttpRequest.newBuilder(uri).build();
                assertThat(client.send(request, BodyHandlers.ofByteArray()).body()).isEqualTo(content);
            }
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
        Transports.assertOnlyRdma(3);
    }
}
