# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034,SC2153
# Watches one guest from boot to power-off: its stages, its limits, signals from outside, and what became of it.

readonly BOOT_LIMIT_KVM=20 # seconds; a kernel under KVM that has not reached its init by then never will
readonly BOOT_LIMIT=180    # seconds until the command starts; emulation on a busy machine can be slow

# boot_and_watch: starts QEMU and reads its console until it ends. Sets GUEST_STAGE to how far the guest came (start,
# init, ready, exit, failed, panic), GUEST_CODE when it told one, and GUEST_ENDED to why we ended it (timeout, signal).
# GUEST_WAS_READY: the command had started, whatever came then.
GUEST_STAGE='' GUEST_ENDED='' GUEST_FAILURE='' GUEST_WAS_READY=''
boot_and_watch() {
    local log out_cat='' err_cat='' real_out=$GUEST_OUT real_err=$GUEST_ERR
    GUEST_STAGE=start GUEST_ENDED='' GUEST_CODE='' GUEST_FAILURE='' GUEST_WAS_READY=''
    exec {log}>"$RESULTS/console.log"
    if [[ -z $GUEST_INTERACTIVE ]]; then
        # QEMU takes a descriptor only with the access mode that it asks for. Our own stdout may be anything (a terminal is
        # read-write), a pipe's end is always right.
        exec {GUEST_OUT}> >(copy_output "$real_out")
        out_cat=$!
        exec {GUEST_ERR}> >(copy_output "$real_err")
        err_cat=$!
    fi
    progress "booting $KERNEL_RELEASE in QEMU ($ACCELERATOR)"
    trap 'on_signal INT' INT
    trap 'on_signal TERM' TERM
    trap 'on_signal HUP' HUP
    clock
    local started=$NOW
    start_qemu
    watch_console "$started" "$log"
    # The console has ended: QEMU is gone, or about to go.
    wait "$QEMU_PID" 2>/dev/null || true
    QEMU_PID=
    exec {CONSOLE}<&- {CONTROL}>&- {log}>&-
    if [[ -n $out_cat ]]; then
        exec {GUEST_OUT}>&- {GUEST_ERR}>&-
        GUEST_OUT=$real_out GUEST_ERR=$real_err
        wait "$out_cat" "$err_cat" 2>/dev/null || true
    fi
    trap - INT TERM HUP
}

# copy_output DESCRIPTOR: copies what the command writes. Ctrl-C must not end it: the command may have last words. When
# nobody reads any more (lab run … | head), the command gets the signal that it would get without a guest between, and
# the rest is swallowed, because QEMU would wait for ever to get rid of it.
copy_output() {
    trap '' INT HUP
    cat >&"$1" || {
        printf 'PIPE\n' >"$LAB_SCRATCH/pipes/control.in"
        cat >/dev/null
    }
}

# watch_console STARTED LOG
watch_console() {
    local started=$1 log=$2 line part='' limit wait_ms timeout status
    local start_limit=$BOOT_LIMIT
    [[ $ACCELERATOR != kvm ]] || start_limit=$BOOT_LIMIT_KVM
    KILL_AT=0
    while :; do
        clock
        # The nearest of the limits that hold at this stage.
        limit=0
        ((GUEST_TIMEOUT == 0)) || limit=$((started + GUEST_TIMEOUT * 1000))
        case $GUEST_STAGE in
            start) nearer $((started + start_limit * 1000)) ;;
            init) nearer $((started + BOOT_LIMIT * 1000)) ;;
            exit | failed | panic) nearer $((STAGE_SINCE + 20000)) ;;
        esac
        ((KILL_AT == 0)) || nearer "$KILL_AT"
        wait_ms=1000
        if ((limit > 0)); then
            wait_ms=$((limit - NOW))
            if ((wait_ms <= 0)); then
                [[ -n $GUEST_ENDED ]] || GUEST_ENDED=limit
                ((GUEST_TIMEOUT == 0 || NOW - started < GUEST_TIMEOUT * 1000)) || GUEST_ENDED=timeout
                stop_qemu
                return 0
            fi
        fi
        ((wait_ms <= 1000)) || wait_ms=1000
        printf -v timeout '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000))
        status=0
        IFS= read -r -t "$timeout" line <&"$CONSOLE" || status=$?
        part+=$line
        # More than 128: the time is over, and what came of the line so far is in it.
        ((status <= 128)) || continue
        if [[ -n $part || $status == 0 ]]; then
            part=${part%$'\r'}
            printf '%s\n' "$part" >&"$log"
            note_stage "$part" "$started"
            part=
        fi
        ((status == 0)) || return 0
    done
}

# nearer TIME: moves watch_console's limit there when it is earlier.
nearer() {
    ((limit > 0 && limit <= $1)) || limit=$1
}

# note_stage LINE STARTED: what guest-init and guest-main report on the console.
STAGE_SINCE=0
note_stage() {
    local ms
    case $1 in
        *'verbs4j-lab: '*) ;;
        *'Kernel panic - not syncing'*)
            GUEST_STAGE=panic GUEST_FAILURE=${1#*] }
            STAGE_SINCE=$NOW
            return 0
            ;;
        *) return 0 ;;
    esac
    clock
    STAGE_SINCE=$NOW
    case ${1#*verbs4j-lab: } in
        init) GUEST_STAGE=init ;;
        ready)
            GUEST_STAGE=ready GUEST_WAS_READY=1
            ms=$((NOW - $2))
            progress "guest is up after $((ms / 1000)).$((ms % 1000 / 100)) s; results in $(short_path "$RESULTS")"
            ;;
        failed\ *) GUEST_STAGE=failed GUEST_FAILURE=${1#*verbs4j-lab: failed } ;;
        exit\ *) GUEST_STAGE=exit GUEST_CODE=${1#*verbs4j-lab: exit } ;;
    esac
}

# on_signal NAME: hands the first signal to the guest's command and gives it five seconds to end; a second one ends QEMU.
KILL_AT=0
on_signal() {
    clock
    if [[ -n $GUEST_ENDED || $GUEST_STAGE == start || $GUEST_STAGE == init ]]; then
        KILL_AT=$NOW
    else
        progress "SIG$1: ending the guest's command (again: ending the guest at once)"
        printf '%s\n' "$1" >&"$CONTROL"
        KILL_AT=$((NOW + 5000))
    fi
    GUEST_ENDED=$1
}

# judge_guest: makes GUEST_CODE of what has happened, and says what needs saying.
judge_guest() {
    local console
    console=$(short_path "$RESULTS/console.log")
    case $GUEST_ENDED in
        INT) GUEST_CODE=130 ;;
        TERM) GUEST_CODE=143 ;;
        HUP) GUEST_CODE=129 ;;
        timeout)
            warn "the wall-clock limit of $GUEST_TIMEOUT s (--timeout) ended the guest; console log: $console"
            GUEST_CODE=$EXIT_TIMEOUT
            ;;
        *)
            if [[ $GUEST_STAGE == exit ]]; then
                progress "guest is off, exit code $GUEST_CODE"
                return 0
            fi
            explain_failure "$console"
            GUEST_CODE=$EXIT_LAB
            ;;
    esac
    printf '%s\n' "$GUEST_CODE" >"$RESULTS/exit-code"
}

explain_failure() {
    case $GUEST_STAGE in
        panic) warn "the guest's kernel panicked: $GUEST_FAILURE" ;;
        failed) warn "the guest could not be set up: $GUEST_FAILURE" ;;
        ready) warn "the guest ended without an exit code of its command" ;;
        *)
            if [[ $GUEST_ENDED == limit ]]; then
                warn "the guest did not come up within $BOOT_LIMIT s (it came as far as: $GUEST_STAGE)"
            else
                warn "QEMU ended before the guest came up (it came as far as: $GUEST_STAGE)"
            fi
            ;;
    esac
    if [[ -s $RESULTS/qemu.log ]]; then
        warn "QEMU says:"
        tail -n 5 -- "$RESULTS/qemu.log" >&2
    fi
    if [[ -s $RESULTS/console.log ]]; then
        warn "the last lines of its console ($1):"
        # A panic is explained by what stands before it, not by the call trace behind.
        if [[ $GUEST_STAGE == panic ]]; then
            grep -B 12 -A 2 -m 1 'Kernel panic - not syncing' -- "$RESULTS/console.log" >&2
        else
            tail -n 15 -- "$RESULTS/console.log" >&2
        fi
    else
        warn "its console ($1) is empty"
    fi
}
