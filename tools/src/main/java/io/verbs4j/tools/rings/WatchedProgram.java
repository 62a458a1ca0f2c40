// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rings;

import io.verbs4j.tools.programs.AttachedProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

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
        try {
            var readings = new ArrayList<Reading>();
            String device = ObjectName.unquote(context.getKeyProperty("name"));
            var snapshot = (CompositeData) connection.getAttribute(context, "Rings");
            for (CompositeData ring : (CompositeData[]) snapshot.get("rings")) {
                readings.add(Reading.of(device, (Long) snapshot.get("nanoTime"), ring));
            }
            return readings;
        } catch (InstanceNotFoundException | AttributeNotFoundException closedMeanwhile) {
            return List.of();
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
