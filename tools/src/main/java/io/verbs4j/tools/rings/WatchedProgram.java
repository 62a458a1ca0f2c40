// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rings;

import io.verbs4j.management.ContextMXBean;
import io.verbs4j.tools.programs.AttachedProgram;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/// A program whose rings are watched through its management interface.
final class WatchedProgram implements AutoCloseable {
    private final AttachedProgram program;

    private WatchedProgram(AttachedProgram program) {
        this.program = program;
    }

    /// Attaches to a running program.
    static WatchedProgram attach(long pid) {
        return new WatchedProgram(AttachedProgram.attach(pid));
    }

    /// Returns the rings of all contexts.
    ///
    /// @throws io.verbs4j.tools.common.ToolException if the program exposes none, or has ended
    List<Reading> read() {
        var readings = new ArrayList<Reading>();
        for (ObjectName context : program.beans("type=Context,*", "exposes no rings: it has no device open")) {
            readings.addAll(program.read(connection -> read(connection, context)));
        }
        readings.sort(Reading.ORDER);
        return readings;
    }

    private static List<Reading> read(MBeanServerConnection connection, ObjectName context)
            throws IOException, JMException {
        String device = ObjectName.unquote(context.getKeyProperty("name"));
        try {
            var snapshot = JMX.newMXBeanProxy(connection, context, ContextMXBean.class).getRings();
            return snapshot.rings().stream().map(ring -> new Reading(device, snapshot.nanoTime(), ring)).toList();
        } catch (UndeclaredThrowableException e) {
            return switch (e.getCause()) {
                case InstanceNotFoundException _,AttributeNotFoundException _ -> List.of(); // closed meanwhile
                case IOException ended -> throw ended;
                case JMException other -> throw other;
                case null, default -> throw e;
            };
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
