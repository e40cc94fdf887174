import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import type { Shell, ShellRequest } from '../executor.js'
import { createShellMark, killMarkedCommand, OWN_SHELLS, SHELL_MARK } from '../shell-marks.js'
import { withJobEnvironment } from '../supervisor/supervisor.js'
import { clusterFailure } from './cluster-failure.js'
import type { Cluster, ContainerPlace } from './cluster/cluster.js'

export interface PodShellParts {
  cluster: Pick<Cluster, 'exec'>
  place: ContainerPlace
  /** The control directory, which has the variables of the job. They are not part of the request, which the API server may log. */
  control: string
  /** Undefined: that of the container. */
  workingDirectory: string | undefined
  logger: Logger
}

/**
 * Starts a command in a running container, with the variables of the job. When `signal` aborts, or the output is not read
 * to its end, the command and all that it started are killed. Throws an `ExecutorError` if the container does not run.
 */
export async function openPodShell(
  parts: PodShellParts,
  request: ShellRequest,
  signal: AbortSignal,
): Promise<Shell> {
  const { cluster, place, control, workingDirectory = '.' } = parts
  const mark = createShellMark()
  const inJob = withJobEnvironment(control, request.command)
  const terminal = request.size ? ENTER_TERMINAL : ''
  const command = ['sh', '-c', `${terminal}${ENTER}`, mark, workingDirectory, ...inJob]
  try {
    const shell = await cluster.exec(place, { ...request, command }, signal)
    return new PodShell(shell, signal, () => kill(parts, `${SHELL_MARK}=${mark}`))
  } catch (error) {
    signal.throwIfAborted()
    throw clusterFailure(error, 'opening a shell')
  }
}

/** Ends the shells of earlier processes in a container. Does not throw. */
export async function endPodShells(parts: PodShellParts): Promise<void> {
  await kill(parts, `${SHELL_MARK}=`, OWN_SHELLS)
}

const ENTER = `${SHELL_MARK}=$0; export ${SHELL_MARK}; cd "$1"; shift; exec "$@"`
const ENTER_TERMINAL = 'TERM=xterm-256color; export TERM; '

/** A shell whose processes end with it. */
class PodShell implements Shell {
  constructor(
    private readonly shell: Shell,
    private readonly signal: AbortSignal,
    private readonly kill: () => Promise<void>,
  ) {}

  get input(): Shell['input'] {
    return this.shell.input
  }

  get output(): Shell['output'] {
    return this.read()
  }

  async resize(...size: Parameters<Shell['resize']>): Promise<void> {
    await this.shell.resize(...size)
  }

  async exitCode(): Promise<number> {
    return await this.shell.exitCode()
  }

  private async *read(): AsyncGenerator<{ channel: 'stdout' | 'stderr'; bytes: Buffer }> {
    let hasEnded = false
    try {
      yield* this.shell.output
      hasEnded = true
    } finally {
      // The reader has left, and need not wait for it.
      if (!hasEnded || this.signal.aborted) void this.kill()
    }
  }
}

/** Does not throw: a container that has ended has no processes left. */
async function kill({ cluster, place, logger }: PodShellParts, mark: string, spared = ''): Promise<void> {
  try {
    const command = killMarkedCommand(mark, spared)
    const shell = await cluster.exec(place, { command, size: undefined }, new AbortController().signal)
    await shell.exitCode()
  } catch (error) {
    logger.warn({ pod: place.pod, error: messageOf(error) }, 'The shells in a pod could not be ended')
  }
}
