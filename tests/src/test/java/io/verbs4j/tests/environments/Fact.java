// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import java.util.regex.Pattern;

/// Something that may be the case in an environment, and the words by which an error claims it. The words are those of
/// Linux and of its tools, not sentences of ours.
enum Fact {
    /// sysfs is not where it belongs, or parts of it are hidden.
    SYSFS_IS_HIDDEN("mount -t sysfs|--volume=/sys|sysfs[^;:]*(hid|cannot be seen)|hides? the host's sysfs"),
    /// There is no RDMA device in this machine.
    MACHINE_HAS_NO_DEVICE("machine has no RDMA device|modprobe rdma_rxe"),
    /// The device of that name is not there, or no longer.
    DEVICE_IS_GONE(
            "there is no (RDMA )?device|has no RDMA device|no RDMA device is on the route|no such device|was removed|being removed|no longer there"),
    /// The device is in another network namespace than the process.
    DEVICE_IS_ELSEWHERE("another network namespace|namespace of the device|set NAME netns|--network=host"),
    /// A node below `/dev/infiniband` is not there.
    NODE_IS_MISSING("no (such )?node|there is no /dev/infiniband"),
    /// A node may not be opened by this user.
    NODE_IS_FORBIDDEN("no permission to read and write|may not read and write"),
    /// A node is something else than the device's.
    NODE_IS_SOMETHING_ELSE("not (the|a) (character )?device|other device|something else"),
    /// The file system of the nodes ignores devices.
    NODES_ARE_IGNORED("\\bnodev\\b"),
    /// Rules of a control group forbid the device.
    DEVICE_RULES_FORBID("device rules|devices\\.allow"),
    /// The process lacks `CAP_NET_RAW`.
    LACKS_NET_RAW("CAP_NET_RAW"),
    /// The process lacks `CAP_NET_ADMIN`.
    LACKS_NET_ADMIN("CAP_NET_ADMIN"),
    /// The process may lock too little memory.
    MAY_LOCK_TOO_LITTLE("RLIMIT_MEMLOCK|ulimit -l|memlock"),
    /// The process has no descriptor left.
    HAS_NO_DESCRIPTOR("ulimit -n|RLIMIT_NOFILE|too many open files|descriptors"),
    /// The process may start no thread.
    MAY_START_NO_THREAD("ulimit -u|RLIMIT_NPROC|pids\\.max|native thread"),
    /// The process has no address space left.
    HAS_NO_ADDRESS_SPACE("ulimit -v|RLIMIT_AS|max_map_count"),
    /// A control group limits RDMA objects.
    GROUP_LIMITS_OBJECTS("rdma\\.max"),
    /// A filter or a security module forbids a system call.
    CALL_IS_FORBIDDEN("seccomp"),
    /// A file cannot be written: the disk is full.
    DISK_IS_FULL("No space left"),
    /// A file cannot be written: the file system is read-only.
    DISK_IS_READ_ONLY("Read-only file system"),
    /// A file cannot be written: the process may write no file so long.
    FILE_IS_TOO_LONG("ulimit -f|File too large"),
    /// A file may not be written by this user.
    FILE_IS_FORBIDDEN("Permission denied"),
    /// The interface is down, or has no carrier.
    LINK_IS_DOWN("link[^.;]* up\\b|port is DOWN|port \\d+ of \\S+ is not active|is down|interface is up"),
    /// There is no IP address, or not the one that was asked for.
    ADDRESS_IS_MISSING(
            "no (IPv4 )?address|no [^;:]*GID has|no network interface[^;]* has the address|has no GID|no GID"
                    + "|address[^;:]*not[^;:]*interface"),
    /// The peer's program listens, but at another address.
    LISTENER_IS_ELSEWHERE("listens at other addresses"),
    /// No route leads there.
    ROUTE_IS_MISSING("no route|ip route(?! get)|unreachable"),
    /// The interface carries only packets that are too small for a path.
    PACKETS_ARE_SMALL("active MTU|raise the MTU|MTU of the network interface"),
    /// The interface is a VLAN, on which rxe makes no device.
    INTERFACE_IS_A_VLAN("VLAN"),
    /// Packets get lost.
    PACKETS_ARE_LOST("packets are lost|firewall discards"),
    /// The network interface is in another network namespace than the process, or nowhere.
    INTERFACE_IS_ELSEWHERE("no such network interface|not in this network namespace"),
    /// The UDP port of RoCE v2 is not open in the network namespace of the process.
    UDP_PORT_IS_CLOSED("port 4791 is not open"),
    /// The peer does not answer.
    PEER_IS_SILENT("peer is gone|peer has ended|does not answer|Connection refused|ECONNREFUSED");

    private final Pattern words;

    Fact(String words) {
        this.words = Pattern.compile(words, Pattern.CASE_INSENSITIVE);
    }

    /// Returns whether a clause claims it.
    boolean isClaimedBy(String clause) {
        return words.matcher(clause).find();
    }
}
