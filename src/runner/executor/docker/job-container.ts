import { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type Docker from 'dockerode'
import type { Container } from 'dockerode'

import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import type { JobLog } from '../../trace/job-log.js'
import { ExecutorError } from '../errors.js'
import type { JobEnvironment, Stage } from '../executor.js'
import { Demultiplexer } from './demultiplex.js'
import { engineFailure } from './engine.js'
import { removeContainer } from './remove-container.js'
import { commandFailure } from './shell-command.js'
import { cannotRun, isInitMissing, startFailure } from './start-failure.js'
import { stopContainer } from './stop-container.js'
import { waitForExit } from './wait-for-exit.js'

export interface JobContainerParts {
  docker: Docker
  container: Container
  image: string
  stopGraceSeconds: number
  keepVolumes?: boolean
  logger: Logger
  /** Makes the same container without an init process, for an engine that turns out to have none. */
  recreateWithoutInit: () => Promise<Container>
  /** Removed with the container. */
  services: { cleanUp(): Promise<void> }
}

const KILLED = 137
const KEPT_OUTPUT_BYTES = 512

/**
 * The container of one job, created once and started again for each stage. A stage goes
 *
 *     attach -> start -> (output ...) -> exit -> output drained
 *
 * Attached before the start, so that no byte is missed; an abort acts from the start on and waits for the exit.
 */
export class JobContainer implements JobEnvironment {
  private container: Container

  constructor(private readonly parts: JobContainerParts) {
    this.container = parts.container
  }

  async run(stage: Stage, log: JobLog, signal: AbortSignal): Promise<{ exitCode: number }> {
    signal.throwIfAborted()
    const socket = await this.begin(stage)
    const output = new Demultiplexer(KEPT_OUTPUT_BYTES)
    const stop = this.stopOnAbort(signal)
    try {
      const drained = pipeline(socket, output, log.output, { end: false })
      const [exitCode] = await Promise.all([waitForExit(this.parts.docker, this.container.id), drained])
      signal.throwIfAborted()
      await this.explain(exitCode, output.beginning, log)
      return { exitCode }
    } catch (error) {
      signal.throwIfAborted()
      if (log.output.errored) throw log.output.errored
      throw engineFailure(error, 'the job ran')
    } finally {
      socket.destroy()
      await stop.finished()
    }
  }

  async cleanUp(): Promise<void> {
    await Promise.all([this.removeContainer(), this.parts.services.cleanUp()])
  }

  private async removeContainer(): Promise<void> {
    await removeContainer(this.container, this.parts.logger, { keepVolumes: this.parts.keepVolumes ?? false })
  }

  /** Attaches, starts, and tells the waiting shell which script to run. */
  private async begin(stage: Stage): Promise<Duplex> {
    const socket = await this.attach()
    try {
      await this.container.start()
    } catch (error) {
      socket.destroy()
      if (!isInitMissing(error)) throw startFailure(error, this.parts.image)
      await this.replaceContainer()
      return await this.begin(stage)
    }
    socket.write(`${stage.scriptPath}\n`)
    return socket
  }

  private async attach(): Promise<Duplex> {
    try {
      const options = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true }
      const socket = await this.container.attach(options)
      if (socket instanceof Duplex) return socket
      throw new Error('The engine gave no connection to attach with')
    } catch (error) {
      throw startFailure(error, this.parts.image)
    }
  }

  private async replaceContainer(): Promise<void> {
    await this.removeContainer()
    this.container = await this.parts.recreateWithoutInit()
  }

  private stopOnAbort(signal: AbortSignal): { finished: () => Promise<void> } {
    let stopping: Promise<void> | undefined
    const stop = () => {
      stopping ??= stopContainer(this.container, this.parts.stopGraceSeconds, this.parts.logger)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    return {
      finished: async () => {
        signal.removeEventListener('abort', stop)
        await stopping
      },
    }
  }

  /** Tells what an exit code does not: that the script never ran, or that it was killed for its memory. */
  private async explain(exitCode: number, beginning: string, log: JobLog): Promise<void> {
    const failure = commandFailure(exitCode, beginning)
    if (failure) throw cannotRun(this.parts.image, `${failure.command}: ${failure.reason}`)
    if (exitCode === KILLED && (await this.isOutOfMemory())) {
      log.warning('The container ran out of memory and was killed. Raise the "memory" setting of the runner.')
    }
  }

  private async isOutOfMemory(): Promise<boolean> {
    try {
      const { State: state } = await this.container.inspect()
      return state.OOMKilled
    } catch (error) {
      throw new ExecutorError(
        `The container of the job was killed and cannot be looked at: ${messageOf(error)}`,
        'runner_system_failure',
        { cause: error },
      )
    }
  }
}
