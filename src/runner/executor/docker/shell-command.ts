import { FIND_SHELL } from '../../../lib/find-shell.js'
import { runAndMark } from '../output/end-mark.js'

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
