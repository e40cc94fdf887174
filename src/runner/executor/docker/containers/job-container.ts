import { uptime } from 'node:os'
import { Duplex, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type Docker from 'dockerode'
import type { Container, ContainerInspectInfo } from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import type { JobLog } from '../../../trace/job-log.js'
import type { ContainerFiles, FileOwner } from '../../../workspace/workspace.js'
import { ExecutorError } from '../../errors.js'
import type { ContainerPlace, JobEnvironment, Stage } from '../../executor.js'
import { engineFailure, isEngineAway, isNotFound, untilEngineAnswers } from '../engine.js'
import type { DockerRecord } from '../environment-record.js'
import type { Services } from '../services/running-services.js'
import { commandFailure } from '../shell-command.js'
import { removeVolume } from '../volumes/remove-volumes.js'
import { DockerFiles } from './container-files.js'
import { Demultiplexer, openLog, waitForExit } from './container-stream.js'
import { NEVER_STARTED } from './create-container.js'
import { removeContainer, stopContainer } from './remove-container.js'
import { cannotRun, containerRemoved, isInitMissing, startFailure } from './start-failure.js'

export interface JobContainerParts {
  docker: Docker
  logger: Logger
  stopGraceSeconds: number
  /** How long an engine that does not answer is waited for while a stage runs. */
  engineAwaySeconds: number
  keepVolumes: boolean
  /** Makes the container; `withInit` is false once the engine turned out to have no init process. */
  create: (place: ContainerPlace, withInit: boolean) => Promise<Container>
  /** Removed with the container. */
  services: Pick<Services, 'cleanUp'>
}

/** What the output of the current stage amounts to so far. */
interface StageOutput {
  /** Bytes given to the log. */
  written: number
  /** Its first bytes. */
  beginning: string
}

const KILLED = 137
/**
 * Exit codes of a container that was ended from outside, as an engine does when it stops and when it starts: by a
 * signal, or 1, as our scripts answer SIGTERM.
 */
const ENDED_FROM_OUTSIDE = [1, 137, 143, 255]
const KEPT_OUTPUT_BYTES = 512

/**
 * The container of one job, created once and started again for each stage. A stage goes
 *
 *     attach -> start -> (output ...) -> exit -> output drained
 *                           ╰─ engine or runner gone ─▶ read on from the engine's log ─▶ exit
 *
 * Attached before the start, so that no byte is missed; an abort acts from the start on and waits for the exit.
 */
export class JobContainer implements JobEnvironment {
  private place: (() => ContainerPlace) | undefined
  private withInit = true
  private making: Promise<void> | undefined
  /** Made by this process and not started yet: then the record says so already. */
  private isNew = false

  constructor(
    private readonly parts: JobContainerParts,
    private current: DockerRecord,
  ) {}

  get record(): DockerRecord {
    return this.current
  }

  get owner(): FileOwner | undefined {
    return this.current.owner
  }

  get files(): ContainerFiles | undefined {
    if (this.current.workspaceVolume === undefined) return undefined
    return new DockerFiles(async () => {
      await this.made()
      return this.container()
    })
  }

  open(place: () => ContainerPlace): void {
    this.place = place
    // Whoever needs the container tries once more, and hears of what is wrong.
    this.made().catch(() => {})
  }

  async run(
    stage: Stage,
    log: JobLog,
    signal: AbortSignal,
    beforeStart: () => Promise<void> = async () => {},
  ): Promise<{ exitCode: number }> {
    signal.throwIfAborted()
    await this.made()
    if (!this.isNew) this.note({ startedBefore: (await this.state()).StartedAt })
    this.isNew = false
    await beforeStart()
    return await this.perform(log, signal, (output) => this.beginAndFollow(output, log))
  }

  async resume(_stage: Stage, log: JobLog, signal: AbortSignal): Promise<{ exitCode: number }> {
    return await this.perform(log, signal, async (output) => {
      const exitCode = await this.readOn(output, log)
      if (ENDED_FROM_OUTSIDE.includes(exitCode) && (await this.wasMachineRestarted())) {
        throw endedBy('The machine was restarted')
      }
      return exitCode
    })
  }

  /** The volume outlives a container that is replaced, and goes with the last one. */
  async cleanUp(): Promise<void> {
    await Promise.allSettled([this.making])
    await Promise.all([this.removeContainer(), this.parts.services.cleanUp()])
    const { workspaceVolume } = this.current
    if (workspaceVolume !== undefined)
      await removeVolume(this.parts.docker, workspaceVolume, this.parts.logger)
  }

  /** One container, however many need it. */
  private async made(): Promise<void> {
    if (this.current.containerId !== undefined) return
    this.making ??= this.create().finally(() => (this.making = undefined))
    await this.making
  }

  private async removeContainer(): Promise<void> {
    const { containerId } = this.current
    if (containerId !== undefined) await removeContainer(this.container(), this.parts.logger, this.parts)
  }

  private async perform(
    log: JobLog,
    signal: AbortSignal,
    follow: (output: StageOutput) => Promise<number>,
  ): Promise<{ exitCode: number }> {
    const output: StageOutput = { written: 0, beginning: '' }
    const stop = this.stopOnAbort(signal)
    try {
      const exitCode = await this.outliveEngine(output, log, signal, follow)
      signal.throwIfAborted()
      await this.explain(exitCode, output.beginning, log)
      this.note({ printed: this.current.printed + output.written })
      return { exitCode }
    } catch (error) {
      signal.throwIfAborted()
      if (log.output.errored) throw log.output.errored
      throw error instanceof ExecutorError ? error : engineFailure(error, 'the job ran')
    } finally {
      await stop.finished()
    }
  }

  /** An engine that is restarted comes back: what it still knows of the stage is what the stage was. */
  private async outliveEngine(
    output: StageOutput,
    log: JobLog,
    signal: AbortSignal,
    follow: (output: StageOutput) => Promise<number>,
  ): Promise<number> {
    try {
      return await follow(output)
    } catch (error) {
      if (signal.aborted || !isEngineAway(error)) throw error
      this.parts.logger.warn({ err: error }, 'The engine does not answer while a job runs')
      if (!(await untilEngineAnswers(this.parts.docker, this.parts.engineAwaySeconds * 1000, signal)))
        throw error
      const exitCode = await this.readOn(output, log)
      if (!ENDED_FROM_OUTSIDE.includes(exitCode)) return exitCode
      throw endedBy('The Docker engine was restarted', error)
    }
  }

  private async beginAndFollow(output: StageOutput, log: JobLog): Promise<number> {
    const socket = await this.begin()
    const drained = this.write(socket, 0, output, log)
    const [exitCode] = await Promise.all([this.exitCode(socket), drained])
    return exitCode
  }

  /** A wait that fails ends the reading, too. */
  private async exitCode(socket: Duplex): Promise<number> {
    try {
      return await waitForExit(this.parts.docker, this.container().id)
    } catch (error) {
      socket.destroy()
      throw error
    }
  }

  /**
   * Goes on in the engine's log behind what was written already. Following it may end a few bytes early when the
   * container ends, so that the rest is read once more after that.
   */
  private async readOn(output: StageOutput, log: JobLog): Promise<number> {
    for (;;) {
      const state = await this.state()
      if (state.StartedAt === this.current.startedBefore) return await this.beginAndFollow(output, log)
      // Also of a container that has ended: the engine may still be writing its last output, and waits for it then.
      const stream = await openLog(this.parts.docker, this.container().id, true)
      await this.write(stream, this.current.printed + output.written, output, log)
      if (!state.Running) return state.ExitCode
    }
  }

  /** `skip`: printed bytes in front of those that are wanted. */
  private async write(source: Readable, skip: number, output: StageOutput, log: JobLog): Promise<void> {
    const keep = KEPT_OUTPUT_BYTES - output.beginning.length
    const frames = new Demultiplexer({ skip, keep })
    try {
      await pipeline(source, frames, log.output, { end: false })
    } finally {
      output.written += frames.passed
      output.beginning += frames.beginning
    }
  }

  /** Attaches and starts. */
  private async begin(): Promise<Duplex> {
    const socket = await this.attach()
    try {
      await this.container().start()
      return socket
    } catch (error) {
      socket.destroy()
      if (!isInitMissing(error)) throw startFailure(error, this.current.imageName)
      await this.replaceContainer()
      return await this.begin()
    }
  }

  private async attach(): Promise<Duplex> {
    try {
      const options = { stream: true, stdout: true, stderr: true, hijack: true }
      const socket = await this.container().attach(options)
      if (socket instanceof Duplex) return socket
      throw new Error('The engine gave no connection to attach with')
    } catch (error) {
      throw startFailure(error, this.current.imageName)
    }
  }

  private async replaceContainer(): Promise<void> {
    this.withInit = false
    await this.removeContainer()
    await this.create()
    this.isNew = false
  }

  private async create(): Promise<void> {
    if (!this.place) throw new Error('The place of the job was not opened')
    const { id } = await this.parts.create(this.place(), this.withInit)
    this.isNew = true
    this.note({ containerId: id, startedBefore: NEVER_STARTED })
  }

  private stopOnAbort(signal: AbortSignal): { finished: () => Promise<void> } {
    let stopping: Promise<void> | undefined
    const stop = () => {
      stopping ??= stopContainer(this.container(), this.parts.stopGraceSeconds, this.parts.logger)
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
    if (failure) throw cannotRun(this.current.imageName, `${failure.command}: ${failure.reason}`)
    if (exitCode === KILLED && (await this.state()).OOMKilled) {
      log.warning('The container ran out of memory and was killed. Raise the "memory" setting of the runner.')
    }
  }

  private async wasMachineRestarted(): Promise<boolean> {
    const bootedAt = Date.now() - uptime() * 1000
    return Date.parse((await this.state()).StartedAt) < bootedAt
  }

  private async state(): Promise<ContainerInspectInfo['State']> {
    try {
      return (await this.container().inspect()).State
    } catch (error) {
      if (isNotFound(error)) throw containerRemoved(error)
      throw error
    }
  }

  private container(): Container {
    if (this.current.containerId === undefined) throw new Error('The container of the job was not made')
    return this.parts.docker.getContainer(this.current.containerId)
  }

  private note(news: Partial<DockerRecord>): void {
    this.current = { ...this.current, ...news }
  }
}

function endedBy(what: string, cause?: unknown): ExecutorError {
  return new ExecutorError(`${what} and ended the container of the job`, 'runner_system_failure', { cause })
}
