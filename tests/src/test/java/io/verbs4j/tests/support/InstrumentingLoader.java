// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.io.IOException;
import java.io.InputStream;

/// Loads all classes of verbs4j again from the class path, and rewrites those of the library. A simulated host in it is
/// different from the one outside.
public final class InstrumentingLoader extends ClassLoader {
    private static final String OURS = "io.verbs4j.";

    /// Of which the allocations are not the library's.
    private static final String[] OTHERS = {"tests.", "simulator.", "bench.", "tools.", "InjectedDevices"};

    private final Weaver weaver;

    /// Rewrites a class.
    public interface Weaver {
        /// @param type the class's name
        /// @return the class to use instead
        byte[] weave(String type, byte[] bytes);
    }

    /// Takes nothing yet.
    public InstrumentingLoader(Weaver weaver) {
        super(InstrumentingLoader.class.getClassLoader());
        this.weaver = weaver;
    }

    @Override
    protected Class<?> loadClass(String type, boolean resolve) throws ClassNotFoundException {
        if (!type.startsWith(OURS)) {
            return super.loadClass(type, resolve);
        }
        synchronized (getClassLoadingLock(type)) {
            Class<?> known = findLoadedClass(type);
            return known == null ? define(type) : known;
        }
    }

    private Class<?> define(String type) throws ClassNotFoundException {
        try (InputStream file = getParent().getResourceAsStream(type.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(type);
            }
            byte[] bytes = file.readAllBytes();
            byte[] woven = isWoven(type) ? weaver.weave(type, bytes) : bytes;
            return defineClass(type, woven, 0, woven.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(type, e);
        }
    }

    private static boolean isWoven(String type) {
        for (String other : OTHERS) {
            if (type.startsWith(other, OURS.length())) {
                return false;
            }
        }
        return true;
    }
}
