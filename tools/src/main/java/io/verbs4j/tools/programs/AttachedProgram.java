// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.programs;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import io.verbs4j.management.Management;
import io.verbs4j.tools.common.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// A running program, and a connection to its management interface.
public final class AttachedProgram implements AutoCloseable {
    private final String name;
    private final JMXConnector connector;
    private final MBeanServerConnection connection;

    private AttachedProgram(String name, JMXConnector connector) throws IOException {
        this.name = name;
        this.connector = connector;
        this.connection = connector.getMBeanServerConnection();
    }

    /// A read of the management interface.
    ///
    /// @param <T> its result
    public interface Read<T> {
        /// Reads.
        T from(MBeanServerConnection connection) throws IOException, JMException;
    }

    /// Attaches to a running program, and starts its management agent, which accepts only local connections.
    ///
    /// @throws ToolException if it is not a Java program, belongs to another user, or refuses
    public static AttachedProgram attach(long pid) {
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
            return new AttachedProgram(name, connect(address));
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

    /// The address is that of a program on this machine, of the same user, which answers with numbers and texts.
    @SuppressWarnings("BanJNDI")
    private static JMXConnector connect(String address) throws IOException {
        return JMXConnectorFactory.connect(new JMXServiceURL(address));
    }

    /// Returns the names of the beans that verbs4j has registered there.
    ///
    /// @param properties a pattern, such as `type=Context,*`
    /// @param nothing what it means that there is none, as a clause
    /// @throws ToolException if there is none
    public Set<ObjectName> beans(String properties, String nothing) {
        return read(server -> {
            Set<ObjectName> names = server.queryNames(new ObjectName(Management.DOMAIN + ":" + properties), null);
            if (names.isEmpty()) {
                throw new ToolException(
                        name + " " + nothing + ", or its management is disabled",
                        "start it with -D" + Management.PROPERTY
                                + "=true (and --add-modules java.management, if it is on the module path)");
            }
            return names;
        });
    }

    /// Reads from the management interface.
    ///
    /// @throws ToolException if the program has ended
    public <T> T read(Read<T> read) {
        try {
            return read.from(connection);
        } catch (IOException e) {
            throw new ToolException(name + " has ended, or its connection is lost");
        } catch (JMException e) {
            throw new ToolException(name + " gave an answer that is not verbs4j's: " + e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            // The program has ended: there is nothing to close.
        }
    }
}
