import { randomBytes } from 'node:crypto'

/** Variable that marks the processes of a shell in a container, because their connection does not end them. */
export const SHELL_MARK = 'switchyard_exec'

/** Begins the values of this process. */
const OWN_PREFIX = randomBytes(12).toString('hex')

/** In the environment of the shells of this process. */
export const OWN_SHELLS = `${SHELL_MARK}=${OWN_PREFIX}`

/** The value of `SHELL_MARK` for a new shell. */
export function createShellMark(): string {
  return `${OWN_PREFIX}-${randomBytes(12).toString('hex')}`
}

/** Kills the processes whose environment has the text `mark`, but not `spared`. */
export function killMarkedCommand(mark: string, spared = ''): string[] {
  return ['sh', '-c', KILL_MARKED, mark, spared]
}

/** SIGHUP first, as from a terminal that is closed. The mark of this script itself is only in its arguments. */
const KILL_MARKED = `marked() {
  for directory in /proc/[0-9]*; do
    if [ -n "$spared" ] && grep -qs "$spared" "$directory/environ"; then continue; fi
    if grep -qs "$mark" "$directory/environ"; then kill "$1" "\${directory#/proc/}" 2>/dev/null; fi
  done
}
mark=$0
spared=$1
marked -HUP
sleep 1
marked -KILL`
