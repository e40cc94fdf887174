import { FIND_SHELL } from '../../../lib/find-shell.js'

/**
 * The command of a job's container. The container is created once and started for each stage, so the script of
 * every stage is at the same path. A started container needs nothing more from its runner. Both output streams go
 * into one pipe, which preserves their order.
 *
 * `outputScript`: path of the script that stores the output of a stage in files (`output/`). If the user of the image
 * cannot read it, the engine keeps the output. `token`: begins the mark with the exit code (see `runAndMark`).
 */
export function shellCommand(scriptPath: string, token: string, outputScript?: string): string[] {
  const run = `${FIND_SHELL}\n${runAndMark('"$0"', token)}`
  return outputScript === undefined
    ? ['sh', '-c', `exec 2>&1\n${run}`, scriptPath]
    : ['sh', '-c', `exec 2>&1\n${STORE_OUTPUT}\n${run}`, scriptPath, outputScript]
}

const STORE_OUTPUT = 'if [ -r "$1" ]; then exec sh "$1" "$0"; fi'

/** Mark in the engine's output, before the exit code of the script. */
export const END_MARK = 'end'

/**
 * Runs a script, a word of the shell, and prints a mark with its exit code after its output (`MarkScanner`). The exit code
 * of the container alone does not show that the script has run: it is that of the entrypoint of the image.
 */
export function runAndMark(script: string, token: string): string {
  return `trap : HUP INT QUIT ALRM TERM USR1 USR2
exec 2>/dev/null
# In a shell of its own, because this one reports a killed command on its own stderr.
(exec "$switchyard_shell" ${script} 2>&1)
switchyard_status=$?
${printEnd(token, '"$switchyard_status"')}
exit "$switchyard_status"`
}

/** Prints the mark. `status`: a word of the shell. */
export function printEnd(token: string, status: string): string {
  return `printf '\\0%s ${END_MARK} %s\\n' ${token} ${status}`
}

/** The only output of an init process, that of Docker or of Podman, if it cannot run the command of the container. */
const INIT_FAILURES = [
  { exitCodes: [126, 127], text: /^\[FATAL tini \(\d+\)\] exec (.+ failed: .+)\n/ },
  { exitCodes: [1], text: /^ERROR \(catatonit:\d+\): failed to exec pid1: (.+)\n/ },
]

/** Why the command of the container did not run, based on its exit code and the beginning of its output. */
export function commandFailure(exitCode: number, firstOutput: string): string | undefined {
  const failure = INIT_FAILURES.find(({ exitCodes }) => exitCodes.includes(exitCode))
  return failure?.text.exec(firstOutput)?.[1]
}
