# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts, and the commas are QEMU's.
# shellcheck disable=SC2034,SC2054
# Starts and ends the virtual machine. It has no disk and no network card: its root file system is the machine's own.

# For two programs that poll; rxe's own work finds its place.
readonly GUEST_PROCESSORS=2

# choose_accelerator: sets ACCELERATOR to kvm or tcg, and ACCELERATOR_REASON. VERBS4J_LAB_ACCELERATOR overrides.
choose_accelerator() {
    local kvm
    ACCELERATOR=tcg
    if [[ -n ${VERBS4J_LAB_ACCELERATOR:-} ]]; then
        ACCELERATOR=$VERBS4J_LAB_ACCELERATOR ACCELERATOR_REASON='VERBS4J_LAB_ACCELERATOR says so'
        [[ $ACCELERATOR == kvm || $ACCELERATOR == tcg ]] || die "VERBS4J_LAB_ACCELERATOR is '$ACCELERATOR', not kvm or tcg"
    elif [[ ! -e /dev/kvm ]]; then
        ACCELERATOR_REASON='there is no /dev/kvm'
    elif ! { exec {kvm}<>/dev/kvm; } 2>/dev/null; then
        ACCELERATOR_REASON='/dev/kvm cannot be opened for reading and writing (group kvm?)'
    else
        exec {kvm}>&-
        # Some virtual machines have a /dev/kvm that accepts every call and then hangs a stock kernel at boot.
        if grep -qwE 'vmx|svm' /proc/cpuinfo; then
            ACCELERATOR=kvm ACCELERATOR_REASON='/dev/kvm opens, and the CPU has vmx or svm'
        else
            ACCELERATOR_REASON='/dev/kvm opens, but the CPU shows neither vmx nor svm, so it cannot be trusted to boot a kernel'
        fi
    fi
}

# start_qemu: boots BOOT_KERNEL with INITRD. The console (kernel messages, and guest-main's own reports) comes out of the
# descriptor CONSOLE, which ends when QEMU does; CONTROL takes signal names for the command. Sets QEMU_PID.
QEMU_PID='' CONSOLE='' CONTROL=''
start_qemu() {
    local pipes=$LAB_SCRATCH/pipes
    rm -rf -- "$pipes"
    mkdir -- "$pipes"
    mkfifo -- "$pipes/console" "$pipes/control.in" "$pipes/control.out"

    local memory=$GUEST_MEMORY

    local -a options=(
        -nodefaults -no-user-config -display none -no-reboot -nic none
        -machine "q35,accel=$ACCELERATOR" -smp "$GUEST_PROCESSORS" -m "$memory"
        -kernel "$BOOT_KERNEL" -initrd "$INITRD" -append "$(kernel_command_line)"
        -virtfs 'local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap'
        # multidevs=remap: the machine's root may span file systems, whose inode numbers would otherwise collide.
        -virtfs "local,path=${RESULTS//,/,,},mount_tag=results,security_model=none,multidevs=remap"
        # The serial port is the kernel's alone. /dev/fdset names a descriptor that we hand over.
        -add-fd fd=7,set=7 -chardev file,id=console,path=/dev/fdset/7,append=on -serial chardev:console
        -device virtio-serial-pci
    )
    # Without the fast string instructions, which emulation takes byte by byte: the kernel clears and copies pages with them.
    if [[ $ACCELERATOR == kvm ]]; then options+=(-cpu host); else options+=(-cpu max,-erms,-fsrm); fi
    if [[ -n $GUEST_INTERACTIVE ]]; then
        # signal=off: Ctrl-C is a character for the guest.
        options+=(-chardev stdio,id=tty,signal=off -device virtconsole,chardev=tty)
    else
        options+=(
            # Ports are not terminals: what the command writes comes out byte by byte as it is.
            -add-fd fd=8,set=8 -chardev file,id=out,path=/dev/fdset/8,append=on
            -add-fd fd=9,set=9 -chardev file,id=err,path=/dev/fdset/9,append=on
            -device virtserialport,chardev=out,name=lab.out -device virtserialport,chardev=err,name=lab.err
            -chardev "pipe,id=control,path=$pipes/control" -device virtserialport,chardev=control,name=lab.control
        )
    fi

    # A session of its own keeps the terminal's Ctrl-C away from QEMU, and it dies with us even if we are killed.
    local -a launcher=(setsid)
    ! setpriv --pdeathsig TERM true 2>/dev/null || launcher+=(setpriv --pdeathsig TERM)

    exec {CONTROL}<>"$pipes/control.in"
    # The two opens of the console's pipe wait for each other.
    "${launcher[@]}" qemu-system-x86_64 "${options[@]}" \
        <&0 7>"$pipes/console" 8>&"$GUEST_OUT" 9>&"$GUEST_ERR" 2>"$RESULTS/qemu.log" &
    QEMU_PID=$!
    exec {CONSOLE}<"$pipes/console"
}

kernel_command_line() {
    local -a words=(
        # loglevel=5: warnings and worse. A serial line under emulation is slow, and dmesg.txt will have the rest.
        console=ttyS0 loglevel=5
        # With -no-reboot, a kernel panic ends QEMU.
        panic=-1
        # Neither serves a throw-away guest, both cost time.
        mitigations=off nokaslr
        # Every process finds the C library and the JVM at the same addresses, so that what the emulation has translated
        # for one serves the next.
        norandmaps
        # On a busy machine the emulated timers come late; the kernel must not conclude that the timer is broken (and
        # panic), or that the TSC is (and take a clock that costs a trap for each reading).
        no_timer_check tsc=reliable
        random.trust_cpu=on
    )
    printf '%s' "${words[*]}"
}

# stop_qemu: ends our QEMU if it still runs, by its pid.
stop_qemu() {
    [[ -n $QEMU_PID ]] || return 0
    local pid=$QEMU_PID tries
    QEMU_PID=
    kill -TERM "$pid" 2>/dev/null || true
    for ((tries = 0; tries < 20; tries++)); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
}
LAB_CLEANUPS+=(stop_qemu)
