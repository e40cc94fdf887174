import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { ExecutorError, type Shell, type ShellRequest } from '../executor.js'
import { createShellMark, killMarkedCommand, OWN_SHELLS, SHELL_MARK } from '../shell-marks.js'
import { withJobEnvironment } from '../supervisor/supervisor.js'
import { clusterFailure } from './cluster-failure.js'
import type { Cluster, ClusterShell, ContainerPlace } from './cluster/cluster.js'

export interface PodShellParts {
  cluster: Pick<Cluster, 'exec'>
  place: ContainerPlace
  /** The control directory, which has the variables of the job. They are not part of the request, which the API server may log. */
  control: string
  /** Undefined: that of the container. */
  workingDirectory: string | undefined
  logger: Logger
  /**
   * Milliseconds without output after which a command is ended that may wait for the end of its input, if the API server cannot pass it
   * on.
   */
  silenceLimit?: number
}

const SILENCE_LIMIT = 10_000

/**
 * Starts a command in a running container, with the variables of the job. When `signal` aborts, or the output is not read
 * to its end, the command and all that it started are killed. Throws an `ExecutorError` if the container does not run.
 */
export async function openPodShell(
  parts: PodShellParts,
  request: ShellRequest,
  signal: AbortSignal,
): Promise<Shell> {
  const { cluster, place, control, workingDirectory = '.', silenceLimit = SILENCE_LIMIT } = parts
  const mark = createShellMark()
  const inJob = withJobEnvironment(control, request.command)
  const terminal = request.size ? ENTER_TERMINAL : ''
  const command = ['sh', '-c', `${terminal}${ENTER}`, mark, workingDirectory, ...inJob]
  try {
    const shell = await cluster.exec(place, { ...request, command }, signal)
    return new PodShell(shell, signal, silenceLimit, () => kill(parts, `${SHELL_MARK}=${mark}`))
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

const NO_END_OF_INPUT =
  'The command was ended: it waited for the end of its input, which the API server of this cluster cannot pass on (Kubernetes ' +
  '1.30 and later can). Use a terminal, or a command that ends by itself, such as "head -c".'

/** A shell whose processes end with it. */
class PodShell implements Shell {
  /** Runs while the command may wait for the end of its input. */
  private silence: NodeJS.Timeout | undefined
  private problem: ExecutorError | undefined

  constructor(
    private readonly shell: ClusterShell,
    private readonly signal: AbortSignal,
    silenceLimit: number,
    private readonly kill: () => Promise<void>,
  ) {
    if (shell.passesEndOfInput) return
    shell.input.once('finish', () => {
      this.silence = setTimeout(() => {
        this.problem = new ExecutorError(NO_END_OF_INPUT, 'runner_system_failure')
        void this.kill()
      }, silenceLimit)
    })
  }

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
    const code = await this.shell.exitCode()
    if (this.problem) throw this.problem
    return code
  }

  private async *read(): AsyncGenerator<{ channel: 'stdout' | 'stderr'; bytes: Buffer }> {
    let hasEnded = false
    try {
      for await (const output of this.shell.output) {
        this.silence?.refresh()
        yield output
      }
      hasEnded = true
    } finally {
      clearTimeout(this.silence)
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
