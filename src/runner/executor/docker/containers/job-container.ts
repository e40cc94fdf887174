import { randomBytes } from 'node:crypto'
import { uptime } from 'node:os'
import { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type Docker from 'dockerode'
import type { Container, ContainerInspectInfo } from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import { pause } from '../../../../lib/pause.js'
import type { JobLog } from '../../../trace/job-log.js'
import type { ContainerFiles } from '../../../workspace/job-files.js'
import type { FileOwner } from '../../../workspace/workspace.js'
import {
  type ContainerWorkspace,
  EngineLostError,
  type EnvironmentInterior,
  ExecutorError,
  type JobEnvironment,
  type Stage,
} from '../../executor.js'
import { cannotRun, scriptNotRun } from '../../image-failure.js'
import type { OutputRecord } from '../../output-record.js'
import { prepareOutput } from '../../output/output-files.js'
import { KILLED } from '../../output/output-script.js'
import { engineFailure, isEngineAway, isNotFound, untilEngineResponds } from '../engine.js'
import type { DockerRecord } from '../environment-record.js'
import { StageOutput } from '../output/stage-output.js'
import type { Services } from '../services/running-services.js'
import { commandFailure } from '../shell-command.js'
import { removeVolume } from '../volumes/remove-job-volumes.js'
import { DockerFiles } from './container-files.js'
import { endContainerShells, openContainerShell } from './container-shell.js'
import { Demultiplexer, openEvents, openLog, waitForExit } from './container-stream.js'
import { NEVER_STARTED } from './create-container.js'
import { killContainer, removeContainer, stopContainer } from './remove-container-and-volumes.js'
import { containerRemoved, isInitMissing, startFailure } from './start-failure.js'

export interface JobContainerParts {
  docker: Docker
  logger: Logger
  stopGraceSeconds: number
  /** Seconds to wait for an engine that does not respond while a stage runs. */
  engineAwaySeconds: number
  keepVolumes: boolean
  /** Whether the engine runs on this machine, judging by its address. */
  isEngineLocal: boolean
  /** Creates the container. `withInit` is false once the engine reported that it has no init process. */
  create: (place: ContainerWorkspace, markToken: string, withInit: boolean) => Promise<Container>
  /** Called when the container has started. */
  onStarted?: ((container: Container) => void) | undefined
  /** The files for the output of scripts. Undefined if the engine keeps it. */
  planOutput: (place: ContainerWorkspace) => OutputRecord | undefined
  /** Removed with the container. */
  services: Pick<Services, 'cleanUp'>
}

/**
 * Exit codes of a container that was ended from outside, for example by an engine that stops or starts. The cause
 * is a signal, or SIGTERM, to which our scripts respond with 1.
 */
const ENDED_FROM_OUTSIDE = [1, 137, 143, 255]
/** Milliseconds that a container may need to end after its script. */
const END_MILLISECONDS = 2000
/** Milliseconds for the rest of the output of a stage that was stopped. Reading all that a script may leave takes less. */
const REST_MILLISECONDS = 5000

/**
 * The container of one job. It is created once and started again for each stage. A stage runs as follows:
 *
 *     attach -> start -> (output ...) -> exit -> output drained
 *                           ╰─ engine or runner gone ─▶ read on from the engine's log ─▶ exit
 *
 * The script writes into files if it can, and the engine has only the output from before the script (`StageOutput`). A
 * container whose script has ended is ended too, with all processes that the script left behind. Attaching before the
 * start ensures that no byte is missed. An abort takes effect from the start on, and waits for the exit.
 */
export class JobContainer implements JobEnvironment {
  private place: (() => ContainerWorkspace) | undefined
  private withInit = true
  private making: Promise<void> | undefined
  /** Whether this process created the container and has not started it yet. The record is already correct then. */
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

  open(place: () => ContainerWorkspace): void {
    this.place = place
    // The next caller that needs the container tries again and receives the error.
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
    if (!this.isNew) this.updateRecord({ startedBefore: (await this.state()).StartedAt })
    this.isNew = false
    await beforeStart()
    return await this.perform(log, signal, (output) => this.beginAndFollow(output, log, signal))
  }

  async resume(_stage: Stage, log: JobLog, signal: AbortSignal): Promise<{ exitCode: number }> {
    return await this.perform(log, signal, async (output) => {
      const exitCode = await this.readOn(output, log, signal)
      if (mayBeEndedFromOutside(exitCode, output) && (await this.wasMachineRestarted())) {
        throw endedBy('The machine was restarted')
      }
      return exitCode
    })
  }

  get interior(): EnvironmentInterior {
    return {
      name: `container ${this.current.containerId?.slice(0, 12) ?? ''}`.trim(),
      hold: () => this.hold(),
      shell: async (request, signal) => {
        await this.made()
        return await openContainerShell(this.container(), request, signal)
      },
      endShells: async () => {
        if (this.current.containerId !== undefined)
          await endContainerShells(this.container(), this.parts.logger)
      },
    }
  }

  /** The waiting script is started as that of a stage, and its output is not read. */
  private async hold(): Promise<void> {
    try {
      await this.made()
      if (!(await this.state()).Running) await this.container().start()
      this.isNew = false
    } catch (error) {
      throw engineFailure(error, 'holding the job')
    }
  }

  /** Removes the container, then its volume. A volume is kept when its container is replaced. */
  async cleanUp(): Promise<void> {
    await Promise.allSettled([this.making])
    await Promise.all([this.removeContainer(), this.parts.services.cleanUp()])
    const { workspaceVolume } = this.current
    if (workspaceVolume !== undefined)
      await removeVolume(this.parts.docker, workspaceVolume, this.parts.logger)
  }

  /** Creates the container once for all concurrent callers. */
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
    const output = new StageOutput(this.current.output, this.current.markToken, log.output)
    const stop = this.stopOnAbort(signal)
    try {
      const exitCode = await this.outliveEngine(output, log, signal, follow)
      signal.throwIfAborted()
      if (isScriptMissing(exitCode, output)) throw scriptNotRun(this.current.imageName)
      await this.explain(exitCode, output, log)
      this.updateRecord({ printed: this.current.printed + output.read })
      return { exitCode }
    } catch (error) {
      signal.throwIfAborted()
      if (log.output.errored) throw log.output.errored
      throw error instanceof ExecutorError ? error : engineFailure(error, 'running the job')
    } finally {
      await stop.finished()
      await output.close(AbortSignal.timeout(REST_MILLISECONDS))
    }
  }

  /** If the engine is unavailable, waits for it and then reads the rest of the stage from its log. */
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
      this.parts.logger.warn({ err: error }, 'The engine does not respond while a job runs')
      if (!(await untilEngineResponds(this.parts.docker, this.parts.engineAwaySeconds * 1000, signal)))
        throw error
      const exitCode = await this.readOn(output, log, signal)
      if (!mayBeEndedFromOutside(exitCode, output)) return exitCode
      throw endedBy('The Docker engine was restarted', error)
    }
  }

  private async beginAndFollow(output: StageOutput, log: JobLog, signal: AbortSignal): Promise<number> {
    if (this.current.output) await prepareOutput(this.current.output, signal)
    const socket = await this.begin()
    this.parts.onStarted?.(this.container())
    const exited = this.exitCode(socket)
    const ended = this.endWithScript(output, exited)
    const [exitCode] = await Promise.all([exited, output.readAttached(socket), ended])
    const hasNoEnd = output.hasMark && !output.scriptEnd && !output.usesFiles
    if (output.hasBroken || hasNoEnd) await this.readRest(output)
    return await this.complete(output, exitCode, log, signal)
  }

  /** The connection to a container may end before its output does, above all to another machine. The engine has all of it. */
  private async readRest(output: StageOutput): Promise<void> {
    const stream = await openLog(this.parts.docker, this.container().id, true)
    await output.readFrames(stream, this.current.printed + output.read)
  }

  /** A failed wait also ends the reading. */
  private async exitCode(socket: Duplex): Promise<number> {
    try {
      return await waitForExit(this.parts.docker, this.container().id)
    } catch (error) {
      socket.destroy()
      throw error
    }
  }

  /**
   * Reads the engine's log from the byte after the last one read. When the container ends, following the log may
   * stop a few bytes early, so the rest is read once more afterwards.
   */
  private async readOn(output: StageOutput, log: JobLog, signal: AbortSignal): Promise<number> {
    for (;;) {
      const state = await this.state()
      if (state.StartedAt === this.current.startedBefore)
        return await this.beginAndFollow(output, log, signal)
      // Follows the log even if the container has ended. The engine may still be writing the last output, and waits
      // for it in this mode.
      const stream = await openLog(this.parts.docker, this.container().id, true)
      const read = output.readFrames(stream, this.current.printed + output.read)
      await Promise.all([read, this.endWithScript(output, read)])
      if (!state.Running) return await this.complete(output, state.ExitCode, log, signal)
    }
  }

  /**
   * Ends the container if its script has ended and left processes behind. They keep the pipe for the output open, for
   * which the container waits. Ends a container too whose output cannot be read. `over` settles when the container has
   * ended, or cannot be followed.
   */
  private async endWithScript(output: StageOutput, over: Promise<unknown>): Promise<void> {
    const isOver = new AbortController()
    const settled = Promise.allSettled([over]).then(() => isOver.abort())
    try {
      const end = await Promise.race([output.scriptEnded, settled])
      if (end && !end.hasLeftProcesses) await pause(END_MILLISECONDS, isOver.signal)
    } finally {
      if (!isOver.signal.aborted) await killContainer(this.container())
    }
  }

  /** Writes the rest of the output of a container that has ended, and returns the exit code of its script. */
  private async complete(
    output: StageOutput,
    exitCode: number,
    log: JobLog,
    signal: AbortSignal,
  ): Promise<number> {
    const end = signal.aborted ? AbortSignal.timeout(REST_MILLISECONDS) : signal
    await output.finish(end)
    const { from, length } = output.late
    if (length > 0) {
      const stream = await openLog(this.parts.docker, this.container().id, true)
      const frames = new Demultiplexer({ skip: this.current.printed + from })
      const clean = (chunks: AsyncIterable<Buffer>) => output.withoutMarks(chunks)
      await pipeline(stream, frames, clean, log.output, { end: false, signal: end })
    }
    if (output.isEndMissing && exitCode !== KILLED) {
      log.warning(
        'The end of the output is missing: the disk was full, or the job removed the files of its output.',
      )
    }
    if (output.scriptEnd) return output.scriptEnd.exitCode
    return exitCode
  }

  /** Attaches to the container and starts it. */
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
      throw new Error('The engine returned no connection to attach to')
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
    if (!this.place) throw new Error('The environment of the job was not opened')
    const place = this.place()
    const output = this.current.output ?? this.parts.planOutput(place)
    const markToken = output?.token ?? randomBytes(16).toString('hex')
    const { id } = await this.parts.create(
      { ...place, output: output && place.output },
      markToken,
      this.withInit,
    )
    this.isNew = true
    const news = { containerId: id, markToken, startedBefore: NEVER_STARTED }
    this.updateRecord({ ...news, ...(output ? { output } : {}) })
  }

  private stopOnAbort(signal: AbortSignal): { finished: () => Promise<void> } {
    let stopping: Promise<void> | undefined
    const stop = () => {
      if (signal.reason instanceof EngineLostError) return
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

  /**
   * Reports what an exit code does not show: that the script never ran, or that it was killed for exceeding its
   * memory.
   */
  private async explain(exitCode: number, { beginning, scriptEnd }: StageOutput, log: JobLog): Promise<void> {
    const failure = commandFailure(exitCode, beginning)
    if (failure !== undefined) throw cannotRun(this.current.imageName, failure)
    if (exitCode === KILLED && (scriptEnd?.ranOutOfMemory ?? (await this.engineReportsOom()))) {
      log.warning('The container ran out of memory and was killed. Raise the "memory" setting of the runner.')
    }
  }

  /**
   * Used for containers that do not record it themselves. The engine learns of the exit and of the memory from two
   * sources. If the exit comes first, the state of the container never says why, but an event does, mostly a moment
   * later.
   */
  private async engineReportsOom(): Promise<boolean> {
    const { OOMKilled: isKnown, StartedAt: startedAt } = await this.state()
    if (isKnown) return true
    const period = {
      since: Math.floor(Date.parse(startedAt) / 1000),
      until: Math.ceil(Date.now() / 1000) + 1,
    }
    const events = await openEvents(this.parts.docker, [this.container().id], ['oom'], period)
    for await (const _event of events) return true
    return false
  }

  /** Of an engine on another machine, this is not known. */
  private async wasMachineRestarted(): Promise<boolean> {
    if (!this.parts.isEngineLocal) return false
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
    if (this.current.containerId === undefined) throw new Error('The container of the job was not created')
    return this.parts.docker.getContainer(this.current.containerId)
  }

  private updateRecord(news: Partial<DockerRecord>): void {
    this.current = { ...this.current, ...news }
  }
}

/** Whether the container ended without an error although the script did not say that it has run to its end. */
function isScriptMissing(exitCode: number, { hasMark, scriptEnd }: StageOutput): boolean {
  return hasMark && !scriptEnd && exitCode === 0
}

/** An engine that was killed together with its containers reports 0 for them. */
function mayBeEndedFromOutside(exitCode: number, output: StageOutput): boolean {
  if (output.scriptEnd) return false
  return ENDED_FROM_OUTSIDE.includes(exitCode) || isScriptMissing(exitCode, output)
}

function endedBy(what: string, cause?: unknown): ExecutorError {
  return new ExecutorError(`${what} and ended the container of the job`, 'runner_system_failure', { cause })
}
