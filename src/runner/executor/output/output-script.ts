import { FIND_SHELL } from '../../../lib/find-shell.js'
import type { OutputRecord } from '../output-record.js'
import { printEnd, runAndMark } from './end-mark.js'
import { SEGMENTS } from './plan-output-files.js'

/** Name of the script in the folder of the output. */
export const OUTPUT_SCRIPT = 'run'

/** Mark in the engine's output: the script writes into files from here on. */
export const FILE_MARK = 'file'

/** Exit code of a script that was ended by SIGKILL. */
export const KILLED = 137

/** What there is around the shell of `outputScript`, unless it is process 1. */
export interface Surroundings {
  /** Number of processes that are neither this shell nor of the script. */
  processes: number
  /** Commands that run in the process of the script when signals reach it, right before it begins. */
  beforeScript: string
  /** Commands that end the processes that the script left. `reader` is the reader of the output. */
  endLeft: string
}

/** The init process, and the reader and its dd. */
const BELOW_INIT: Surroundings = { processes: 3, beforeScript: '', endLeft: '' }

/** Size of a pipe, and of one read. A file may be longer than planned by less than this. */
export const BLOCK_BYTES = 64 * 1024
/** Seconds that a full pipe waits for a runner that reads nothing. Longer than a restart of the runner takes. */
const PATIENCE_SECONDS = 15

/**
 * A script that runs the script of a stage (`$1`) and stores its output in the folder of `$0`:
 *
 *     script ─▶ pipe ─▶ dd ─▶ 0      the first `headBytes`, kept until the stage ends
 *                             1 ...  segments, each removed by the runner that has read it
 *
 * The reader of the pipe is in the container, so that a script does not depend on its runner, and a script that opens
 * /dev/stderr again cannot truncate a file. The reader ignores signals that a script sends to its process group. When
 * all segments are full, it waits for the runner, and a script that prints more waits too. If the runner reads nothing
 * for some time, the oldest segment is dropped.
 *
 * When the script ends, a mark follows its output, also at the engine in case the files were lost: the exit code, the
 * number of processes that it left behind, and, if it was killed, how many processes the kernel has killed for the memory
 * of the container. The processes that are left hold the pipe open, so its end does not show that the script has ended.
 * The script itself runs in the foreground, because shells let commands in the background ignore SIGINT.
 *
 * An image without the programs, or a user who cannot write into the folder, gets no files. The engine keeps the output
 * then.
 *
 * Who starts this script ends the processes that are left, or has it end them (`endLeft`).
 */
export function outputScript(
  { token, headBytes, segmentBytes }: OutputRecord,
  { processes, beforeScript, endLeft }: Surroundings = BELOW_INIT,
): string {
  // Names with a prefix, because a shell passes variables of the image that it changes on to the script.
  return `switchyard_dir=\${0%/*}
${FIND_SHELL}
if ! command -v dd >/dev/null || ! command -v ls >/dev/null || ! mkfifo -m 600 "$switchyard_dir/pipe" 2>/dev/null; then
  ${runAndMark('"$1"', token)}
fi

# Appends to the file $1 until it has $2 bytes. Fails when the output or the disk ends before.
fill() {
  size=0
  while [ "$size" -lt "$2" ]; do
    blocks=$((($2 - size + ${BLOCK_BYTES - 1}) / ${BLOCK_BYTES}))
    report=$(exec dd bs=${BLOCK_BYTES} count="$blocks" 2>&1 >>"$1") || return 1
    # Its last lines are "3+1 records in" and more.
    report=\${report%% records in*}
    report=\${report##*[!0-9+]}
    [ "$((\${report%+*} + \${report#*+}))" -ge "$blocks" ] || return 1
    set -- "$1" "$2" $(exec ls -ln "$1")
    size=$7
  done
}

# Waits for the runner to remove the file $1.
make_room() {
  waited=0
  while [ -e "$1" ] && [ "$waited" -lt "$patience" ]; do
    sleep 1
    waited=$((waited + 1))
  done
  if [ -e "$1" ]; then patience=0; else patience=${PATIENCE_SECONDS}; fi
  rm -f "$1"
}

store() {
  umask 022
  export LC_ALL=C
  patience=${PATIENCE_SECONDS}
  index=0
  more=${headBytes}
  while fill "$switchyard_dir/$index" "$more"; do
    index=$((index + 1))
    more=${segmentBytes}
    [ "$index" -le ${SEGMENTS} ] || make_room "$switchyard_dir/$((index - ${SEGMENTS}))"
  done
  # After a full disk, the script still finds a reader.
  cat >/dev/null
}

# Before the reader starts, which inherits it: the script may send a signal while the reader has not done anything yet.
trap '' HUP INT QUIT PIPE ALRM TERM USR1 USR2
store <"$switchyard_dir/pipe" 2>/dev/null &
reader=$!
exec 3>"$switchyard_dir/pipe"
printf '\\0%s ${FILE_MARK}\\n' ${token}
exec 4>&1 >/dev/null 2>&1
trap : HUP INT QUIT ALRM TERM USR1 USR2
trap - PIPE
# In a shell of its own, because this one reports a killed command on its own stderr.
(
  ${beforeScript}
  exec "$switchyard_shell" "$1" >&3 2>&1 3>&- 4>&-
)
status=$?
# This shell and the processes around it are no processes of the script.
set -- /proc/[0-9]*
if [ $$ -eq 1 ]; then left=$(($# - 3)); else left=$(($# - ${1 + processes})); fi
# The counter of the control group (version 2 or 1). Where it cannot be read, the number is missing.
kills=
if [ "$status" -eq ${KILLED} ]; then
  for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
    [ -r "$file" ] || continue
    while read -r name count; do [ "$name" != oom_kill ] || kills=$count; done <"$file"
  done
fi
printf '\\0%s %s %s %s\\n' ${token} "$status" "$left" "$kills" >&3
exec 3>&-
${endLeft}
wait
${printEnd(token, '"$status"')} >&4
exit "$status"
`
}
