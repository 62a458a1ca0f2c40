# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# One guest from boot to power-off: what it is to do, watching it, and what it leaves.

# What the guest is to be; subcommands set these from their options.
GUEST_KERNEL=$DEFAULT_KERNEL
GUEST_MEMORY=      # MiB; empty: as much as fits, up to 4096
GUEST_TIMEOUT=600  # seconds of wall time from the start of QEMU to its end; 0: no limit
GUEST_DEVICES=1    # empty: no wire and no rxe devices
GUEST_HIDE_RDMA_CORE=
GUEST_INTERACTIVE=
GUEST_OUT=1 GUEST_ERR=2 # descriptors for the command's output

# What came of it.
GUEST_CODE=    # the command's exit code, or one of the EXIT_ codes when there is none
RESULTS=       # the folder of this guest's results

readonly GUEST_OPTIONS_HELP='  --kernel K           6.1, 6.12, sid, host, or a directory with boot/ and lib/modules/ (default: 6.12)
  --timeout SECONDS    end the guest after so much wall time
  --memory MIB         memory of the guest (default: 4096, less on a small machine)
  --no-devices         make no wire and no rxe devices
  --without-rdma-core  hide the files of rdma-core and its tools from the guest (tcpdump needs them, too)
  -q, --quiet          no progress lines'

# guest_option "$@": takes one option common to all subcommands that boot a guest; sets TAKEN to the number of words
# it took, 0 when it is not one of these.
TAKEN=0
guest_option() {
    TAKEN=1
    case $1 in
        --kernel) GUEST_KERNEL=$(option_value "$1" "$@") TAKEN=2 ;;
        --kernel=*) GUEST_KERNEL=${1#*=} ;;
        --timeout) GUEST_TIMEOUT=$(option_value "$1" "$@") TAKEN=2 ;;
        --timeout=*) GUEST_TIMEOUT=${1#*=} ;;
        --memory) GUEST_MEMORY=$(option_value "$1" "$@") TAKEN=2 ;;
        --memory=*) GUEST_MEMORY=${1#*=} ;;
        --no-devices) GUEST_DEVICES= ;;
        --without-rdma-core) GUEST_HIDE_RDMA_CORE=1 ;;
        -q | --quiet) LAB_QUIET=1 ;;
        *) TAKEN=0 ;;
    esac
    [[ $1 != --timeout* ]] || require_number --timeout "$GUEST_TIMEOUT"
    [[ $1 != --memory* ]] || require_number --memory "$GUEST_MEMORY"
}

# kernels_option "$@": the option of subcommands that take several kernels; adds them to KERNELS, and sets TAKEN as
# guest_option does.
KERNELS=()
kernels_option() {
    local value
    local -a names
    case $1 in
        --kernel) value=$(option_value "$1" "$@") TAKEN=2 ;;
        --kernel=*) value=${1#*=} TAKEN=1 ;;
        *)
            TAKEN=0
            return 0
            ;;
    esac
    IFS=, read -ra names <<<"$value"
    KERNELS+=("${names[@]}")
}

# run_guest COMMAND…: boots a guest, runs the command in it (a shell when interactive), sets GUEST_CODE.
run_guest() {
    resolve_kernel "$GUEST_KERNEL"
    prepare_boot_image
    scratch
    make_results
    choose_memory
    choose_accelerator
    write_job "$@"
    BOOT_KERNEL=$UNPACKED_KERNEL
    [[ -s $BOOT_KERNEL ]] || BOOT_KERNEL=$KERNEL_IMAGE
    boot_and_watch
    # Safety nets: KVM that exists and cannot boot a kernel, and an unpacked kernel that this QEMU does not take.
    if did_not_start && [[ $ACCELERATOR == kvm ]]; then
        boot_again KVM
        ACCELERATOR=tcg
        boot_and_watch
    fi
    if did_not_start && [[ $BOOT_KERNEL != "$KERNEL_IMAGE" && -z $GUEST_ENDED ]]; then
        boot_again unpacked
        BOOT_KERNEL=$KERNEL_IMAGE
        boot_and_watch
    fi
    # A kernel replaces its own code while it boots, and emulation with several processors can see that half done.
    if [[ $GUEST_STAGE == panic && -z $GUEST_WAS_READY && -z $GUEST_ENDED ]]; then
        boot_again panic
        boot_and_watch
    fi
    judge_guest
}

did_not_start() {
    [[ $GUEST_STAGE == start && ${GUEST_ENDED:-limit} == limit ]]
}

# boot_again WHAT: says why a first boot is not the last, and keeps its log.
boot_again() {
    mv -- "$RESULTS/console.log" "$RESULTS/console-$1.log"
    warn "the kernel did not come up ($1; its console: $(short_path "$RESULTS/console-$1.log")); trying again"
    [[ ! -s $RESULTS/qemu.log ]] || tail -n 3 -- "$RESULTS/qemu.log" >&2
}

# A new folder for each guest, and a link to the latest of each kernel.
make_results() {
    local base=${VERBS4J_LAB_RESULTS:-$REPOSITORY/target/lab} stamp attempt=
    mkdir -p -- "$base" || die "cannot make $base"
    base=$(cd -- "$base" && pwd -P)
    printf -v stamp '%(%Y%m%d-%H%M%S)T' -1
    until mkdir -- "$base/$KERNEL_NAME-$stamp${attempt:+-$attempt}" 2>/dev/null; do
        attempt=$((${attempt:-1} + 1))
        ((attempt < 100)) || die "cannot make a folder in $base"
    done
    RESULTS=$base/$KERNEL_NAME-$stamp${attempt:+-$attempt}
    mkdir -- "$RESULTS/job"
    ln -sfn -- "${RESULTS##*/}" "$base/$KERNEL_NAME-latest"
}

choose_memory() {
    [[ -z $GUEST_MEMORY ]] || return 0
    local available
    # Guest memory is taken from the machine page by page as it is used, so that most of what is free may be promised.
    available=$(awk '/^MemAvailable:/ {print int($2 / 1024 * 3 / 4)}' /proc/meminfo)
    GUEST_MEMORY=$((available < 4096 ? available : 4096))
}

# write_job COMMAND…: the guest finds what it is to do in the folder job/ of its results.
write_job() {
    local jdk=
    ! find_jdk || jdk=$JDK_HOME
    local rows='' columns=''
    if [[ -n $GUEST_INTERACTIVE ]]; then read -r rows columns <<<"$(stty size)" || true; fi
    {
        printf '%s=%q\n' LAB_HOME "$LAB_HOME" LAB_KERNEL "$KERNEL_NAME" LAB_RESULTS "$RESULTS" \
            LAB_MODULES "$KERNEL_MODULES" LAB_JAVA_HOME "$jdk" LAB_DEVICES "$GUEST_DEVICES" \
            LAB_INTERACTIVE "$GUEST_INTERACTIVE" LAB_HIDE "$GUEST_HIDE_RDMA_CORE" \
            LAB_TERM "${GUEST_INTERACTIVE:+${TERM:-linux}}" LAB_ROWS "$rows" LAB_COLUMNS "$columns" \
            LAB_BASH "$BASH" LAB_IP "$(command -v ip)" LAB_RDMA "$(command -v rdma)"
    } >"$RESULTS/job/guest.env"
    {
        printf 'echo $$ >/run/lab/pid\ncd -- %q || exit\n' "$PWD"
        # The kernel's own limit for the first process is 4096 open files.
        printf 'ulimit -Hn 65536\n'
        if [[ -n $GUEST_INTERACTIVE ]]; then
            # Without the machine's own start-up files: what they load takes seconds under emulation.
            printf "export PS1='%s \\w# '\nexec bash --noprofile --norc -i\n" "$KERNEL_NAME"
        else
            printf 'exec'
            printf ' %q' "$@"
            printf '\n'
        fi
    } >"$RESULTS/job/command"
    if [[ -n $GUEST_HIDE_RDMA_CORE ]]; then
        rdma_core_files | sort -u >"$RESULTS/job/hidden-files"
        # Their folders too, the deepest first; those with other files in them will be left.
        sed 's|/[^/]*$||' "$RESULTS/job/hidden-files" | sort -ru >"$RESULTS/job/hidden-folders"
    fi
}

# The files of rdma-core and of what is linked with it.
rdma_core_files() {
    local package path
    for package in libibverbs1 ibverbs-providers librdmacm1 rdma-core ibverbs-utils rdmacm-utils perftest python3-pyverbs; do
        dpkg -L "$package" 2>/dev/null || rpm -ql "$package" 2>/dev/null || true
    done | grep -v '^/usr/share/' | while IFS= read -r path; do
        [[ ! -e $path || -d $path ]] || printf '%s\n' "$path"
    done
    # Compiled Python files belong to no package, and a folder that holds them can still be imported.
    find /usr/lib/python3*/*-packages/pyverbs ! -type d 2>/dev/null || true
    # Whatever the packages are called: no libibverbs, librdmacm or provider may be left where the linker looks.
    find -L /lib/*-linux-gnu /usr/lib/*-linux-gnu /usr/lib64 /usr/local/lib -maxdepth 2 \
        \( -name 'libibverbs*' -o -name 'librdmacm*' -o -name '*-rdmav*.so' \) ! -type d 2>/dev/null || true
}
