/** In the order they are looked for (runner protocol, 7.3). */
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
 * The container is created once and started for each stage, so the script of every stage lies at the same path: once
 * it was started, a container needs nothing more from its runner. Both outputs go into one pipe, which keeps them in
 * the order of printing.
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

/** What the init process prints, as the only output, when it cannot run the container's command. */
const INIT_FAILURE = /^\[FATAL tini \(\d+\)\] exec (.+) failed: (.+)\n/

/** Why the command of the container never ran, out of its exit code and the beginning of its output. */
export function commandFailure(
  exitCode: number,
  firstOutput: string,
): { command: string; reason: string } | undefined {
  if (exitCode !== 126 && exitCode !== 127) return undefined
  const [, command, reason] = INIT_FAILURE.exec(firstOutput) ?? []
  return command === undefined || reason === undefined ? undefined : { command, reason }
}
