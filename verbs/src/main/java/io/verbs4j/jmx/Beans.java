// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.jmx;

import io.verbs4j.management.Management;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// Registers beans with the platform's MBean server. This class is loaded only if management is on.
public final class Beans {
    private Beans() {}

    /// Registers a bean.
    ///
    /// @param type value of the key `type`
    /// @param keys further keys and their values; the values may contain any character
    /// @return an action that removes the bean; idempotent
    public static Runnable register(Object bean, String type, Map<String, String> keys) {
        var text = new StringBuilder(Management.DOMAIN + ":type=" + type);
        new LinkedHashMap<>(keys)
                .forEach((key, value) -> text.append(',').append(key).append('=').append(ObjectName.quote(value)));
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            var name = new ObjectName(text.toString());
            server.registerMBean(bean, name);
            return () -> unregister(server, name);
        } catch (JMException e) {
            throw new IllegalStateException("cannot register " + text, e);
        }
    }

    private static void unregister(MBeanServer server, ObjectName name) {
        try {
            server.unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            // The bean was unregistered by other code.
        } catch (JMException e) {
            throw new IllegalStateException("cannot unregister " + name, e);
        }
    }
}
