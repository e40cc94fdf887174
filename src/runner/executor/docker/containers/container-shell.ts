import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'

import type { Container, Exec } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { ExecutorError, type Shell, type ShellRequest, type TerminalSize } from '../../executor.js'
import { engineFailure, engineWords, statusOf } from '../engine.js'
import { FrameReader } from './frame-reader.js'

/** Marks the processes of a shell, because the engine does not end them with their connection. */
const SHELL_MARK = 'switchyard_exec'
const CONFLICT = 409

/**
 * Starts a command in a running container, with the environment of the container. When `signal` aborts, or the
 * output is not read to its end, the command and all that it started are killed. Throws an `ExecutorError` if the
 * container does not run.
 */
export async function openContainerShell(
  container: Container,
  { command, size }: ShellRequest,
  signal: AbortSignal,
): Promise<Shell> {
  signal.throwIfAborted()
  const mark = randomBytes(12).toString('hex')
  const hasTerminal = size !== undefined
  try {
    const exec = await container.exec({
      Cmd: command,
      Env: [`${SHELL_MARK}=${mark}`, ...(hasTerminal ? ['TERM=xterm-256color'] : [])],
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: hasTerminal,
    })
    const stream = await exec.start({ hijack: true, stdin: true, Tty: hasTerminal })
    const shell = new ContainerShell(container, exec, stream, hasTerminal, mark, signal)
    if (size) await shell.resize(size)
    return shell
  } catch (error) {
    if (statusOf(error) === CONFLICT) {
      const message = `The container of the job does not run now: ${engineWords(error)}`
      throw new ExecutorError(message, 'runner_system_failure', { cause: error })
    }
    throw engineFailure(error, 'opening a shell')
  }
}

/** Ends all shells of a container. A container that does not run has none. Does not throw. */
export async function endContainerShells(container: Container, logger: Logger): Promise<void> {
  try {
    await killMarked(container, `${SHELL_MARK}=`)
  } catch (error) {
    if (statusOf(error) === undefined)
      logger.warn({ error: messageOf(error) }, 'The shells of an earlier process could not be ended')
  }
}

class ContainerShell implements Shell {
  private hasEnded = false

  constructor(
    private readonly container: Container,
    private readonly exec: Exec,
    private readonly stream: Duplex,
    private readonly hasTerminal: boolean,
    private readonly mark: string,
    private readonly signal: AbortSignal,
  ) {}

  get input(): Duplex {
    return this.stream
  }

  get output(): Shell['output'] {
    return this.read()
  }

  async resize({ columns, rows }: TerminalSize): Promise<void> {
    if (!this.hasTerminal || this.hasEnded) return
    try {
      await this.exec.resize({ w: columns, h: rows })
    } catch (error) {
      // A command that has just ended, or that has not begun, has no terminal.
      if (statusOf(error) === undefined) throw engineFailure(error, 'resizing a terminal')
    }
  }

  async exitCode(): Promise<number> {
    const { ExitCode: code } = await this.exec.inspect()
    return code ?? -1
  }

  private async *read(): AsyncGenerator<{ channel: 'stdout' | 'stderr'; bytes: Buffer }> {
    const { stream, signal } = this
    const onAbort = () => stream.destroy()
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    const frames = new FrameReader()
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (this.hasTerminal) yield { channel: 'stdout', bytes: chunk }
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
      await killMarked(this.container, `${SHELL_MARK}=${this.mark}`)
    } catch (error) {
      if (statusOf(error) === undefined)
        throw new Error(`A shell was not ended: ${messageOf(error)}`, { cause: error })
    }
  }
}

/** Kills the processes whose environment has this text. */
async function killMarked(container: Container, mark: string): Promise<void> {
  const exec = await container.exec({ Cmd: ['sh', '-c', KILL_MARKED, mark] })
  const response = await exec.start({ Detach: true })
  response.resume() // an unread response would hold its connection open
}

/** SIGHUP first, as from a terminal that is closed. The mark of this script itself is only in its arguments. */
const KILL_MARKED = `marked() {
  for directory in /proc/[0-9]*; do
    if grep -qs "$mark" "$directory/environ"; then kill "$1" "\${directory#/proc/}" 2>/dev/null; fi
  done
}
mark=$0
marked -HUP
sleep 1
marked -KILL`
