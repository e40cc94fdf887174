import { FIND_SHELL } from '../../../lib/find-shell.js'
import type { Surroundings } from '../output/output-script.js'

/** Names in the control directory. */
export const CONTROL = {
  /** Exists when scripts can be started. Its owner is the user of the container. */
  started: 'started',
  /** Names of programs that the image lacks. Complete when `started` exists, and absent if there are none. */
  missing: 'missing',
  /** FIFO for `run <number>` and `stop`. */
  commands: 'commands',
  /** FIFO for `<signal> <number>`. */
  signals: 'signals',
  /** Exports the variables of the job. */
  environment: 'environment',
} as const

/** Names in the directory of a script, which is named after its number. */
export const SCRIPT = {
  /** Runs the script. Written before it starts. */
  start: 'start',
  /** Exists when the script begins, and signals reach it. */
  begun: 'begun',
  /** Exists when the script has ended and no process of it is left. */
  over: 'over',
} as const

/**
 * Kills what the script left, so that the reader of the output finds its end. `$2` is the watcher. Only the supervisor, below
 * this shell, may kill all processes at once.
 */
const END_LEFT = `supervisor=$PPID
watcher=$2
rounds=0
found=yes
while [ -n "$found" ] && [ "$rounds" -lt 100 ]; do
  found=
  rounds=$((rounds + 1))
  for process in /proc/[0-9]*; do
    process=\${process#/proc/}
    case $process in "\${$}"|"$supervisor"|"$reader"|"$watcher") continue ;; esac
    read -r stat <"/proc/$process/stat" || continue
    set -- \${stat##*) }
    if [ "$1" = Z ] || [ "$2" = "$reader" ]; then continue; fi
    if [ "$supervisor" -eq 1 ] || [ "$4" = "$supervisor" ]; then kill -s KILL "$process" && found=yes; fi
  done
done 2>/dev/null`

/** The supervisor, its watcher, and the reader of the output with its dd. */
export const BELOW_SUPERVISOR: Surroundings = {
  processes: 4,
  beforeScript: `printf '' >"$switchyard_dir/${SCRIPT.begun}"`,
  endLeft: END_LEFT,
}

/** The programs of an image that scripts cannot do without, apart from a shell. */
const PROGRAMS = 'dd ls mkfifo'

/**
 * The command of the container of a job: process 1, which runs the scripts of the job one after the other.
 *
 *     helper ── run 3 ──▶ commands ──▶ supervisor ──▶ 3/start ──▶ script
 *            ── TERM 3 ─▶ signals ───▶ watcher ───▶ all its processes
 *            ◀─ 3/begun, 3/0 … (output), 3/over ───────────────┘
 *
 * A script runs in the foreground, because shells let commands in the background ignore SIGINT, so a second process waits
 * for signals. A number runs once: a request that was repeated has no effect. When a script has ended, all processes
 * that it left are killed. Process 1 may kill every process that it sees. Below another one, as with
 * `shareProcessNamespace`, it kills those of its session.
 *
 * SIGTERM ends the supervisor between two scripts. While one runs, it may come from the script itself (`kill 0`) and is
 * ignored: see `stopCommand`. The job can write to the control directory, which harms nobody else.
 */
export function supervisorCommand(control: string): string[] {
  return ['sh', '-c', SUPERVISOR, control]
}

/**
 * Ends the running script and then the supervisor, for the hook `preStop` of the container: a pod that is deleted does not
 * wait for the end of its grace period.
 */
export function stopCommand(control: string): string[] {
  const lines = `printf 'TERM all\\n' 1<>"$0/${CONTROL.signals}"; printf 'stop 0\\n' 1<>"$0/${CONTROL.commands}"`
  return ['sh', '-c', lines, control]
}

/** Wraps a command for the container of a job, so that it has the variables of the job once a script has run. */
export function withJobEnvironment(control: string, command: readonly string[]): string[] {
  return ['sh', '-c', `[ ! -r "$0" ] || . "$0"; exec "$@"`, `${control}/${CONTROL.environment}`, ...command]
}

// Names with a prefix, because a shell passes variables of the image that it changes on to the script. Kubernetes replaces two
// dollar signs in a command by one, so the number of the process is ${$}.
const SUPERVISOR = `umask 022
switchyard_control=$0
switchyard_last=0
switchyard_missing=
for switchyard_name in ${PROGRAMS}; do
  command -v "$switchyard_name" >/dev/null || switchyard_missing="$switchyard_missing $switchyard_name"
done
if [ -n "$switchyard_missing" ]; then
  printf '%s' "$switchyard_missing" >"$switchyard_control/${CONTROL.missing}"
  printf '' >"$switchyard_control/${CONTROL.started}"
  echo "The image has no$switchyard_missing" >&2
  while sleep 3600; do :; done
  exit 1
fi
${FIND_SHELL}

# Sends the signal $1 to all processes but this one and process 1. Fails if there are none.
switchyard_signal() {
  if [ \${$} -eq 1 ]; then
    kill -s "$1" -- -1
    return
  fi
  read -r switchyard_self switchyard_stat </proc/self/stat
  read -r switchyard_stat </proc/\${$}/stat
  set -- "$1" \${switchyard_stat##*) }
  [ "$5" = \${$} ] || return
  switchyard_found=1
  for switchyard_process in /proc/[0-9]*; do
    read -r switchyard_stat <"$switchyard_process/stat" || continue
    set -- "$1" \${switchyard_stat##*) }
    case \${switchyard_process#/proc/} in \${$}|$switchyard_self) continue ;; esac
    if [ "$5" = \${$} ] && [ "$2" != Z ]; then
      kill -s "$1" "\${switchyard_process#/proc/}" && switchyard_found=0
    fi
  done
  return $switchyard_found
} 2>/dev/null

# Several times, because processes may start others in the meantime. Those of other users may be out of reach.
switchyard_end_all() {
  switchyard_tries=0
  while [ "$switchyard_tries" -lt 1000 ] && switchyard_signal KILL; do
    wait
    switchyard_tries=$((switchyard_tries + 1))
  done
} 2>/dev/null

switchyard_watch() {
  # A script may send signals to its process group, which is also that of this process.
  trap '' HUP INT QUIT PIPE ALRM TERM USR1 USR2
  exec 3<&-
  while read -r switchyard_name switchyard_number <&4; do
    case $switchyard_number in "$switchyard_last"|all) ;; *) continue ;; esac
    case $switchyard_name in TERM|KILL) switchyard_signal "$switchyard_name" ;; esac
  done
}

# Without special builtins such as ":", whose failed redirections end a shell.
switchyard_run() {
  trap : HUP INT QUIT ALRM TERM USR1 USR2
  switchyard_watch </dev/null >/dev/null 2>&1 &
  switchyard_watcher=$!
  (
    exec 3<&- 4<&-
    . "$1/${SCRIPT.start}"
  ) </dev/null >/dev/null 2>&1
  switchyard_end_all
  printf '' >"$1/${SCRIPT.begun}"
  printf '' >"$1/${SCRIPT.over}"
  trap 'switchyard_end_all; exit 143' TERM
}

trap 'switchyard_end_all; exit 143' TERM
# The helper may be another user.
mkfifo -m 622 "$switchyard_control/${CONTROL.commands}" "$switchyard_control/${CONTROL.signals}" || exit
exec 3<>"$switchyard_control/${CONTROL.commands}" 4<>"$switchyard_control/${CONTROL.signals}"
printf '' >"$switchyard_control/${CONTROL.started}"
# Some shells report processes that they killed.
exec 2>/dev/null
while read -r switchyard_command switchyard_number <&3; do
  case $switchyard_number in ''|*[!0-9]*) continue ;; esac
  if [ "$switchyard_command" = stop ]; then exit 143; fi
  if [ "$switchyard_command" = run ] && [ "$switchyard_number" -gt "$switchyard_last" ]; then
    switchyard_last=$switchyard_number
    switchyard_run "$switchyard_control/$switchyard_number"
  fi
done
`
