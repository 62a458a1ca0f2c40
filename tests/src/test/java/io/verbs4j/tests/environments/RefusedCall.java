// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

/// System calls that the commands make, themselves or through the JDK, with their numbers on x86-64. Those that the
/// virtual machine cannot do without are missing: `futex`, `mprotect`, `munmap`, `clone`, and the calls by which it
/// reads its classes and a process reads its own state: `openat`, `read`, `lseek`, `fstat`, `newfstatat`, `statx`,
/// `getdents64`. `fcntl` is missing, too: the JDK ignores its refusal and then waits indefinitely on a socket that it
/// takes for non-blocking (`DatagramSocket.connect`).
enum RefusedCall {
    IOCTL(16),
    SOCKET(41),
    CONNECT(42),
    SENDTO(44),
    RECVFROM(45),
    SENDMSG(46),
    RECVMSG(47),
    BIND(49),
    LISTEN(50),
    ACCEPT(43),
    ACCEPT4(288),
    GETSOCKNAME(51),
    SETSOCKOPT(54),
    GETSOCKOPT(55),
    SHUTDOWN(48),
    POLL(7),
    PPOLL(271),
    EPOLL_CREATE1(291),
    EPOLL_CTL(233),
    EPOLL_WAIT(232),
    EVENTFD2(290),
    READLINK(89),
    ACCESS(21),
    MKDIR(83),
    UNLINK(87),
    RENAME(82),
    GETRANDOM(318),
    PROCESS_VM_READV(310),
    PRLIMIT64(302),
    UNAME(63),
    GETTID(186),
    TGKILL(234),
    PREAD64(17),
    MMAP(9),
    WRITE(1);

    private final int number;

    RefusedCall(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
