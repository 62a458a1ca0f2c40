// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rings;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import io.verbs4j.management.Management;
import io.verbs4j.tools.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// A program whose rings are watched through its management interface.
final class WatchedProgram implements AutoCloseable {
    private final String name;
    private final MBeanServerConnection connection;
    private final AutoCloseable closer;

    WatchedProgram(String name, MBeanServerConnection connection, AutoCloseable closer) {
        this.name = name;
        this.connection = connection;
        this.closer = closer;
    }

    /// Attaches to a running program, and starts its management agent, which accepts only local connections.
    ///
    /// @throws ToolException if it is not a Java program, belongs to another user, or refuses
    static WatchedProgram attach(long pid) {
        JavaPrograms.ofSystem().requireJava(pid);
        String name = "program " + pid;
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            String address;
            try {
                address = machine.startLocalManagementAgent();
            } finally {
                machine.detach();
            }
            JMXConnector connector = connect(address);
            return new WatchedProgram(name, connector.getMBeanServerConnection(), connector);
        } catch (AttachNotSupportedException | AttachOperationFailedException e) {
            throw new ToolException(name + " does not accept the attachment: " + e.getMessage());
        } catch (IOException e) {
            if (!Files.exists(Path.of("/proc", Long.toString(pid)))) {
                throw JavaPrograms.noSuchProcess(pid);
            }
            String reason = String.valueOf(e.getMessage());
            throw reason.contains("denied") || reason.contains("not permitted") || reason.contains("secure")
                    ? JavaPrograms.noPermission(pid)
                    : new ToolException(name + " does not accept the attachment: " + reason);
        }
    }

    /// The address belongs to a program of the same user on this machine. It answers with numbers and texts.
    @SuppressWarnings("BanJNDI")
    private static JMXConnector connect(String address) throws IOException {
        return JMXConnectorFactory.connect(new JMXServiceURL(address));
    }

    /// Returns snapshots of the rings of all contexts.
    ///
    /// @throws ToolException if the program exposes none, or has ended
    List<Reading> read() {
        try {
            Set<ObjectName> contexts =
                    connection.queryNames(new ObjectName(Management.DOMAIN + ":type=Context,*"), null);
            if (contexts.isEmpty()) {
                throw new ToolException(
                        name + " exposes no rings: it has no device open, or its management is disabled",
                        "start it with -D" + Management.PROPERTY
                                + "=true (and --add-modules java.management, if it is on the module path)");
            }
            var readings = new ArrayList<Reading>();
            for (ObjectName context : contexts) {
                readings.addAll(read(context));
            }
            readings.sort(Reading.ORDER);
            return readings;
        } catch (IOException e) {
            throw new ToolException(name + " has ended, or its connection is lost");
        } catch (JMException e) {
            throw new ToolException(name + " gave an answer that is not verbs4j's: " + e);
        }
    }

    private List<Reading> read(ObjectName context) throws IOException, JMException {
        try {
            var readings = new ArrayList<Reading>();
            String device = ObjectName.unquote(context.getKeyProperty("name"));
            var snapshot = (CompositeData) connection.getAttribute(context, "Rings");
            for (CompositeData ring : (CompositeData[]) snapshot.get("rings")) {
                readings.add(Reading.of(device, (Long) snapshot.get("nanoTime"), ring));
            }
            return readings;
        } catch (InstanceNotFoundException | AttributeNotFoundException closedInThatTime) {
            return List.of();
        }
    }

    @Override
    public void close() {
        try {
            closer.close();
        } catch (Exception e) {
            // The program has ended, so nothing has to be closed.
        }
    }
}
