// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Decides which sockets use RDMA.
///
/// Each line of a rules file contains one rule: a transport, and a rule in the grammar of `com.sun.sdp.conf`:
///
/// ```
/// rdma-or-tcp  connect  10.9.0.0/24  *
/// rdma         bind     10.9.0.2     7000-7100
/// tcp          connect  db.example   5432
/// ```
///
/// The first rule that matches decides. A host is `*`, a name, an address or `ADDRESS/PREFIX`. A port is `*`, a number
/// or a range; the end of a range may be `*`. Names are resolved when the file is read. A comment begins with `#`. If
/// no rule matches, the transport is [Transport#RDMA_OR_TCP].
///
/// Loopback addresses belong to no RDMA device, so `*` does not match them. Unless a rule names a loopback address, the
/// address uses TCP.
public final class SocketRules {
    private static final int MAX_PORT = 65_535;
    private static final int WORDS = 4;

    private final List<Rule> rules;

    /// The transports that rules permit.
    public enum Transport {
        /// RDMA. If RDMA is not possible, connecting or binding fails.
        RDMA,
        /// TCP.
        TCP,
        /// RDMA if possible, otherwise TCP.
        RDMA_OR_TCP;

        private static Transport parse(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    /// The step that a socket is about to take.
    public enum Action {
        /// The socket connects to an address.
        CONNECT,
        /// The socket binds to an address and listens there.
        BIND
    }

    /// @param networks null for any host
    private record Rule(
            Transport transport,
            Action action,
            @Nullable List<Network> networks,
            int firstPort,
            int lastPort) {
        boolean matches(Action wanted, InetSocketAddress address) {
            if (wanted != action || address.getPort() < firstPort || address.getPort() > lastPort) {
                return false;
            }
            return networks == null
                    ? !address.getAddress().isLoopbackAddress()
                    : networks.stream().anyMatch(network -> network.contains(address.getAddress()));
        }
    }

    private record Network(InetAddress address, int prefix) {
        boolean contains(InetAddress other) {
            byte[] mine = address.getAddress();
            byte[] theirs = other.getAddress();
            if (mine.length != theirs.length) {
                return false;
            }
            for (int bit = 0; bit < prefix; bit++) {
                int mask = 0x80 >> bit % Byte.SIZE;
                if (((mine[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private SocketRules(List<Rule> rules) {
        this.rules = rules;
    }

    /// Returns the rules without a file: [Transport#RDMA_OR_TCP] for all sockets, except TCP for loopback addresses.
    public static SocketRules defaults() {
        return new SocketRules(List.of());
    }

    /// Reads a file of rules.
    ///
    /// @throws IllegalArgumentException if a line is not a valid rule; the message contains the file, the line and the
    ///     mistake
    public static SocketRules read(Path file) throws IOException {
        return parse(file.toString(), Files.readAllLines(file));
    }

    /// Parses rules.
    ///
    /// @param name the name of the source in error messages
    /// @throws IllegalArgumentException if a line is not a valid rule
    public static SocketRules parse(String name, List<String> lines) {
        var rules = new ArrayList<Rule>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (!line.isEmpty()) {
                try {
                    rules.add(rule(line.split("\\s+")));
                } catch (IllegalArgumentException | UnknownHostException e) {
                    throw new IllegalArgumentException(
                            name + ", line " + (i + 1) + ": " + e.getMessage()
                                    + "; a rule is: rdma|tcp|rdma-or-tcp connect|bind HOST|*|ADDRESS/PREFIX PORT|*|FROM-TO",
                            e);
                }
            }
        }
        return new SocketRules(List.copyOf(rules));
    }

    private static Rule rule(String[] words) throws UnknownHostException {
        if (words.length != WORDS) {
            throw new IllegalArgumentException(words.length + " words instead of " + WORDS);
        }
        String[] ports = words[3].split("-", 2);
        boolean any = ports[0].equals("*");
        int first = any ? 0 : port(ports[0]);
        int last = any || (ports.length == 2 && ports[1].equals("*")) ? MAX_PORT : port(ports[ports.length - 1]);
        if (first > last) {
            throw new IllegalArgumentException("the range " + words[3] + " is reversed");
        }
        return new Rule(
                Transport.parse(words[0]),
                Action.valueOf(words[1].toUpperCase(Locale.ROOT)),
                words[2].equals("*") ? null : networks(words[2]),
                first,
                last);
    }

    private static int port(String text) {
        int port = Integer.parseInt(text);
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is not within 0 to " + MAX_PORT);
        }
        return port;
    }

    private static List<Network> networks(String text) throws UnknownHostException {
        int slash = text.indexOf('/');
        if (slash == 0) {
            throw new IllegalArgumentException("a prefix needs an address");
        }
        var networks = new ArrayList<Network>();
        for (InetAddress address : InetAddress.getAllByName(slash < 0 ? text : text.substring(0, slash))) {
            int bits = address.getAddress().length * Byte.SIZE;
            int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
            if (prefix < 0 || prefix > bits) {
                throw new IllegalArgumentException(
                        "a prefix of " + prefix + " bits is longer than an address of " + bits + " bits");
            }
            networks.add(new Network(address, prefix));
        }
        return networks;
    }

    /// Returns the transport that a socket may use.
    ///
    /// @param address resolved; a wildcard for a listener at all addresses
    public Transport transport(Action action, InetSocketAddress address) {
        for (Rule rule : rules) {
            if (rule.matches(action, address)) {
                return rule.transport();
            }
        }
        return address.getAddress().isLoopbackAddress() ? Transport.TCP : Transport.RDMA_OR_TCP;
    }

    @Override
    public String toString() {
        return rules.isEmpty() ? "RDMA where possible" : rules.size() + " rules";
    }
}
