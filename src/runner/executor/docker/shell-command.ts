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

/**
 * The command of a job's container. The container is created once and started for each stage, so the script of
 * every stage is at the same path. A started container needs nothing more from its runner. Both output streams go
 * into one pipe, which preserves their order.
 */
export function shellCommand(scriptPath: string): string[] {
  return ['sh', '-c', DETECTION, scriptPath]
}

const DETECTION = [
  'exec 2>&1',
  `for shell in ${SHELLS.join(' ')}; do`,
  '  if [ -x "$shell" ]; then exec "$shell" "$0"; fi',
  'done',
  'echo "shell not found"',
  'exit 1',
].join('\n')

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
