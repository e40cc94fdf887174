/** In the order in which they are tried (runner protocol, 7.3). */
const SHELLS = [
  '/usr/local/bin/bash',
  '/usr/bin/bash',
  '/bin/bash',
  '/usr/local/bin/sh',
  '/usr/bin/sh',
  '/bin/sh',
  '/busybox/sh',
]

/** Sets `switchyard_shell` to the shell that runs scripts. */
export const FIND_SHELL = `for switchyard_shell in ${SHELLS.join(' ')} ''; do
  if [ -x "$switchyard_shell" ]; then break; fi
done
if [ -z "$switchyard_shell" ]; then
  echo "shell not found"
  exit 1
fi`

/**
 * The command of a job's container. The container is created once and started for each stage, so the script of
 * every stage is at the same path. A started container needs nothing more from its runner. Both output streams go
 * into one pipe, which preserves their order.
 *
 * `outputScript`: path of the script that stores the output of a stage in files (`output/`). If the user of the image
 * cannot read it, the engine keeps the output.
 */
export function shellCommand(scriptPath: string, outputScript?: string): string[] {
  return outputScript === undefined
    ? ['sh', '-c', `exec 2>&1\n${RUN}`, scriptPath]
    : ['sh', '-c', `exec 2>&1\n${STORE_OUTPUT}\n${RUN}`, scriptPath, outputScript]
}

const STORE_OUTPUT = 'if [ -r "$1" ]; then exec sh "$1" "$0"; fi'
const RUN = `${FIND_SHELL}\nexec "$switchyard_shell" "$0"`

/** The only output of the init process if it cannot run the command of the container. */
const INIT_FAILURE = /^\[FATAL tini \(\d+\)\] exec (.+) failed: (.+)\n/

/** Why the command of the container did not run, based on its exit code and the beginning of its output. */
export function commandFailure(
  exitCode: number,
  firstOutput: string,
): { command: string; reason: string } | undefined {
  if (exitCode !== 126 && exitCode !== 127) return undefined
  const [, command, reason] = INIT_FAILURE.exec(firstOutput) ?? []
  return command === undefined || reason === undefined ? undefined : { command, reason }
}
