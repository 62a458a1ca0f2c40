// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.queuepair.QueuePairTransitions;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Changes and queries the state of a queue pair, and records the state in [QueuePair#state]. The device may also move
/// the queue pair to ERR by itself.
final class QueuePairStates {
    private final QueuePair queuePair;
    private final ProtectionDomain domain;
    private final ProviderQueuePair provider;
    /// Held while a command runs and its result is recorded, so that results are recorded in the order of the commands.
    private final ReentrantLock lock = new ReentrantLock();

    QueuePairStates(QueuePair queuePair, ProtectionDomain domain, ProviderQueuePair provider) {
        this.queuePair = queuePair;
        this.domain = domain;
        this.provider = provider;
    }

    void modify(QueuePairAttributes attributes) {
        Mtu pathMtu = attributes.pathMtu();
        if (pathMtu != null) {
            queuePair.whileOpen(() -> requireCarried(pathMtu, attributes.addressVector()));
        }
        change(attributes);
    }

    private void requireCarried(Mtu pathMtu, @Nullable AddressVector path) {
        int port = path == null ? provider.query(QueuePairAttribute.PORT.bit()).port() : path.port();
        Context context = domain.context();
        if (port >= 1 && port <= context.attributes().ports()) {
            PathMtu.require(pathMtu, context.provider().queryPort(port), context.device(), port);
        }
    }

    /// Changes attributes. If they contain a path MTU, the caller has checked that the port supports it.
    void change(QueuePairAttributes attributes) {
        alone(() -> {
            try {
                provider.modify(attributes);
            } catch (VerbsException e) {
                throw e.errno() == Errno.EINVAL ? explained(attributes, e) : e;
            }
            if (attributes.has(QueuePairAttribute.STATE)) {
                queuePair.state = attributes.state();
                if (attributes.state() == QueuePairState.ERR) {
                    // Makes receives visible that another thread posted after the device had flushed and before the
                    // state was recorded. The poster's half of the fence is the release of its queue's lock, or
                    // flushUnlockedReceivesIfFailed (docs/memory-model.md).
                    VarHandle.fullFence();
                    provider.flushReceives();
                }
            }
            return attributes;
        });
    }

    private VerbsException explained(QueuePairAttributes attributes, VerbsException refusal) {
        var present = QueuePairAttributes.builder().state(queuePair.state).build();
        try {
            present = provider.query(QueuePairAttribute.STATE.bit());
        } catch (VerbsException e) {
            refusal.addSuppressed(e);
        }
        var explained = new VerbsException(
                refusal.operation(),
                refusal.errno(),
                QueuePairTransitions.explain(
                        queuePair.type(), present, attributes, domain.context().attributes()));
        explained.addSuppressed(refusal);
        return explained;
    }

    QueuePairAttributes query(int mask) {
        return alone(() -> {
            QueuePairAttributes answer = provider.query(mask);
            queuePair.state = answer.state();
            return answer;
        });
    }

    /// Records a state that the kernel has moved the queue pair to by itself.
    void note(QueuePairState now) {
        alone(() -> {
            provider.noteState(now);
            queuePair.state = now;
            return now;
        });
    }

    /// Flushes receives that were posted in ERR. No thread may take the queue pair out of ERR between the provider's
    /// check of the state and its flush.
    void flushReceivesIfFailed() {
        if (queuePair.state == QueuePairState.ERR) {
            alone(() -> {
                provider.flushReceives();
                return queuePair.state;
            });
        }
    }

    /// Flushes receives that were posted in ERR to a queue without a lock. The fence is needed because another thread
    /// may record ERR concurrently.
    void flushUnlockedReceivesIfFailed() {
        VarHandle.fullFence();
        flushReceivesIfFailed();
    }

    private <T> T alone(Supplier<T> command) {
        return queuePair.whileOpen(() -> {
            lock.lock();
            try {
                return command.get();
            } finally {
                lock.unlock();
            }
        });
    }
}
