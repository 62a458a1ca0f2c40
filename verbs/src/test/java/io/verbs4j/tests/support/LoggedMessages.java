// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Collects what a logger says, of every level, and keeps it off the console.
public final class LoggedMessages extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> messages = new CopyOnWriteArrayList<>();

    private LoggedMessages(Logger logger) {
        this.logger = logger;
    }

    /// Collects until it is closed.
    public static LoggedMessages of(String name) {
        Logger logger = Logger.getLogger(name);
        var messages = new LoggedMessages(logger);
        logger.setLevel(Level.ALL);
        logger.setUseParentHandlers(false);
        logger.addHandler(messages);
        return messages;
    }

    /// Returns each message behind its level.
    public List<String> all() {
        return messages;
    }

    @Override
    public void publish(LogRecord entry) {
        String text = entry.getParameters() == null
                ? entry.getMessage()
                : MessageFormat.format(entry.getMessage(), entry.getParameters());
        messages.add(entry.getLevel() + " " + text);
    }

    @Override
    public void flush() {
        // Nothing waits.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(null);
        logger.setUseParentHandlers(true);
    }
}
