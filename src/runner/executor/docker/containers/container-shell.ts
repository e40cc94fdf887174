import type { Duplex } from 'node:stream'

import type { Container, Exec } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { pause } from '../../../../lib/pause.js'
import { SECOND } from '../../../../lib/time-units.js'
import { ExecutorError, type Shell, type ShellRequest, type TerminalSize } from '../../executor.js'
import { createShellMark, killMarkedCommand, OWN_SHELLS, SHELL_MARK } from '../../shell-marks.js'
import { engineFailure, engineWords, statusOf } from '../engine.js'
import { FrameReader } from './frame-reader.js'

const NOT_FOUND = 404
const CONFLICT = 409
/** Of a command that was killed. */
const KILLED = 137
/** Milliseconds that a shell waits for a container that does not run before the first script, or between two. */
const START_WAIT = 10 * SECOND
const START_INTERVAL = SECOND / 4

/**
 * Starts a command in a running container, with the environment of the container; waits a moment for one that does not
 * run. When `signal` aborts, or the output is not read to its end, the command and all that it started are killed.
 * Throws an `ExecutorError` if the container does not run.
 */
export async function openContainerShell(
  container: Container,
  request: ShellRequest,
  signal: AbortSignal,
): Promise<Shell> {
  const deadline = performance.now() + START_WAIT
  for (;;) {
    signal.throwIfAborted()
    try {
      return await startShell(container, request, signal)
    } catch (error) {
      if (statusOf(error) !== CONFLICT) throw engineFailure(error, 'opening a shell')
      if (performance.now() > deadline) {
        const message = `The container of the job does not run now: ${engineWords(error)}`
        throw new ExecutorError(message, 'runner_system_failure', { cause: error })
      }
      await pause(START_INTERVAL, signal)
    }
  }
}

async function startShell(
  container: Container,
  { command, size }: ShellRequest,
  signal: AbortSignal,
): Promise<Shell> {
  const mark = createShellMark()
  const hasTerminal = size !== undefined
  const startedAt = await runningSince(container)
  const exec = await container.exec({
    Cmd: command,
    Env: [`${SHELL_MARK}=${mark}`, ...(hasTerminal ? ['TERM=xterm-256color'] : [])],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: hasTerminal,
  })
  const stream = await exec.start({ hijack: true, stdin: true, Tty: hasTerminal })
  const shell = new ContainerShell({ container, exec, stream, hasTerminal, startedAt, mark, signal })
  if (size) await shell.resize(size)
  return shell
}

/** Ends the shells of earlier processes in a container. A container that does not run has none. Does not throw. */
export async function endContainerShells(container: Container, logger: Logger): Promise<void> {
  try {
    await killMarked(container, `${SHELL_MARK}=`, OWN_SHELLS)
  } catch (error) {
    if (statusOf(error) === undefined)
      logger.warn({ error: messageOf(error) }, 'The shells of an earlier process could not be ended')
  }
}

interface ContainerShellParts {
  container: Container
  exec: Exec
  stream: Duplex
  hasTerminal: boolean
  /** When the container was started. */
  startedAt: string | undefined
  mark: string
  signal: AbortSignal
}

class ContainerShell implements Shell {
  private hasEnded = false

  constructor(private readonly parts: ContainerShellParts) {}

  get input(): Duplex {
    return this.parts.stream
  }

  get output(): Shell['output'] {
    return this.read()
  }

  async resize({ columns, rows }: TerminalSize): Promise<void> {
    const { exec, hasTerminal } = this.parts
    if (!hasTerminal || this.hasEnded) return
    try {
      await exec.resize({ w: columns, h: rows })
    } catch (error) {
      // A command that has just ended, or that has not begun, has no terminal.
      if (statusOf(error) === undefined) throw engineFailure(error, 'resizing a terminal')
    }
  }

  async exitCode(): Promise<number> {
    const { container, exec, startedAt } = this.parts
    const code = await exitCodeOf(exec)
    // The end of its script ends a container, and all commands in it.
    if ((code === undefined || code === KILLED) && (await runningSince(container)) !== startedAt)
      throw new Error('The container of the job has stopped, and the shell with it')
    return code ?? -1
  }

  private async *read(): AsyncGenerator<{ channel: 'stdout' | 'stderr'; bytes: Buffer }> {
    const { stream, hasTerminal, signal } = this.parts
    const onAbort = () => stream.destroy()
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    const frames = new FrameReader()
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (hasTerminal) yield { channel: 'stdout', bytes: chunk }
        else yield* frames.read(chunk)
      }
      this.hasEnded = true
    } catch (error) {
      if (!signal.aborted) throw engineFailure(error, 'reading the output of a shell')
    } finally {
      signal.removeEventListener('abort', onAbort)
      stream.destroy()
      if (!this.hasEnded) await this.kill()
    }
  }

  /** A container that has ended has no processes left. */
  private async kill(): Promise<void> {
    try {
      await killMarked(this.parts.container, `${SHELL_MARK}=${this.parts.mark}`)
    } catch (error) {
      if (statusOf(error) === undefined)
        throw new Error(`A shell was not ended: ${messageOf(error)}`, { cause: error })
    }
  }
}

/** Undefined if the engine does not know it, as of a container that is gone. */
async function exitCodeOf(exec: Exec): Promise<number | undefined> {
  try {
    const { ExitCode: code } = await exec.inspect()
    return code ?? undefined
  } catch (error) {
    if (statusOf(error) === undefined) throw engineFailure(error, 'asking for the exit code of a shell')
    return undefined
  }
}

/** When a container was started. Undefined if it does not run, or is gone. */
async function runningSince(container: Container): Promise<string | undefined> {
  try {
    const { State: state } = await container.inspect()
    return state.Running ? state.StartedAt : undefined
  } catch (error) {
    if (statusOf(error) === NOT_FOUND) return undefined
    throw error
  }
}

/** Kills the processes whose environment has this text, and not the other one. */
async function killMarked(container: Container, mark: string, spared = ''): Promise<void> {
  const exec = await container.exec({ Cmd: killMarkedCommand(mark, spared) })
  const response = await exec.start({ Detach: true })
  response.resume() // an unread response would hold its connection open
}
