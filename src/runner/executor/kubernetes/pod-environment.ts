import { messageOf } from '../../../lib/errors.js'
import { linkSignals } from '../../../lib/link-signals.js'
import type { Logger } from '../../../lib/logger.js'
import { pause } from '../../../lib/pause.js'
import { SECOND } from '../../../lib/time-units.js'
import type { JobLog } from '../../trace/job-log.js'
import type { FileOwner } from '../../workspace/workspace.js'
import type { EnvironmentHelper, HelperScript } from '../environment-helper.js'
import {
  type ContainerWorkspace,
  type EnvironmentInterior,
  ExecutorError,
  type JobEnvironment,
  type Stage,
} from '../executor.js'
import { KILLED } from '../output/output-script.js'
import type { ScriptEnd } from '../script-end.js'
import type { Cluster } from './cluster/cluster.js'
import type { PodRecord } from './pod-record.js'
import type { PodRemover } from './pod-remover.js'
import { endPodShells, openPodShell, type PodShellParts } from './pod-shell.js'
import type { FollowedPod } from './pod/followed-pod.js'
import { ranOutOfMemory } from './pod/pod-failures.js'
import { BUILD } from './pod/pod-plan.js'

/** Seconds between SIGTERM and SIGKILL for a script that is stopped. */
const STOP_GRACE_SECONDS = 10
/** Milliseconds for the rest of the output of a script that was stopped, or whose container has ended. */
const REST = 5 * SECOND

export interface PodEnvironmentParts {
  cluster: Pick<Cluster, 'exec'>
  pod: FollowedPod
  helper: EnvironmentHelper
  /** The control directory of the pod. */
  control: string
  remover: Pick<PodRemover, 'remove'>
  stopServiceLogs: () => void
  /** Called once, when nothing of the job is left. */
  onEnd: () => void
  logger: Logger
}

/** The pod of one job, whose containers run: each script is run by the supervisor in the container `build`. */
export class PodEnvironment implements JobEnvironment {
  private ending: Promise<void> | undefined
  private variables: Record<string, string> = {}

  constructor(
    private readonly parts: PodEnvironmentParts,
    private current: PodRecord,
  ) {}

  get record(): PodRecord {
    return this.current
  }

  get owner(): FileOwner {
    return this.current.owner
  }

  get helper(): EnvironmentHelper {
    return this.parts.helper
  }

  /** The host name in the pod. */
  get machine(): string {
    return this.current.name
  }

  open(place: () => ContainerWorkspace): void {
    const { scriptPath, workingDirectory, environment } = place()
    this.current = { ...this.current, scriptPath, workingDirectory }
    this.variables = environment
  }

  async run(
    _stage: Stage,
    log: JobLog,
    signal: AbortSignal,
    beforeStart: () => Promise<void> = async () => {},
  ): Promise<{ exitCode: number }> {
    signal.throwIfAborted()
    this.requireScripts(log)
    this.current = { ...this.current, scriptNumber: this.current.scriptNumber + 1 }
    await beforeStart()
    return await this.perform(this.script(this.current.scriptNumber), log, signal)
  }

  async resume(_stage: Stage, log: JobLog, signal: AbortSignal): Promise<{ exitCode: number }> {
    return await this.perform(this.script(this.current.scriptNumber), log, signal)
  }

  get interior(): EnvironmentInterior {
    const { pod } = this.parts
    const node = pod.state.spec?.nodeName
    return {
      name: `pod ${pod.title}${node === undefined ? '' : ` on the node ${node}`}`,
      hold: () => this.hold(),
      shell: (request, signal) => openPodShell(this.shellParts, request, signal),
      endShells: () => endPodShells(this.shellParts),
    }
  }

  async cleanUp(): Promise<void> {
    this.ending ??= this.end()
    await this.ending
  }

  private async end(): Promise<void> {
    const { pod, helper, remover, stopServiceLogs, onEnd } = this.parts
    stopServiceLogs()
    await helper.close()
    pod.leave()
    await remover.remove(this.current)
    onEnd()
  }

  /** The same script whichever process starts it, because its number follows from the record. */
  private async hold(): Promise<void> {
    const { helper, pod } = this.parts
    pod.scriptsLost.throwIfAborted()
    const script = this.script(this.current.scriptNumber + 1)
    await helper.startScript(script, this.variables, pod.scriptsLost)
  }

  private script(number: number): HelperScript {
    const { scriptPath, output } = this.current
    if (scriptPath === undefined) throw new Error('The environment of the job was not opened')
    const directory = `${this.parts.control}/${number}`
    return { number, path: scriptPath, output: { ...output, directory } }
  }

  /** Throws if the container of the job has ended. Its earlier scripts may have reported that in their own way. */
  private requireScripts(log: JobLog): void {
    const { failure, scriptsLost } = this.parts.pod
    if (failure) log.warning(`No more scripts can run: ${failure.message}`)
    scriptsLost.throwIfAborted()
  }

  private async perform(
    script: HelperScript,
    log: JobLog,
    signal: AbortSignal,
  ): Promise<{ exitCode: number }> {
    const { pod } = this.parts
    const following = new AbortController()
    const stop = this.stopOnAbort(script, signal, following)
    try {
      const end = await this.follow(script, log, following)
      signal.throwIfAborted()
      if (!end) return await this.throwLoss()
      if (end.exitCode === KILLED && end.ranOutOfMemory) log.warning(ranOutOfMemory(BUILD).message)
      return { exitCode: end.exitCode }
    } catch (error) {
      signal.throwIfAborted()
      if (log.output.errored) throw log.output.errored
      const { failure } = pod
      if (failure?.exitCode === undefined) {
        pod.scriptsLost.throwIfAborted()
        throw error
      }
      log.warning(failure.message)
      return { exitCode: failure.exitCode }
    } finally {
      following.abort()
      await stop.finished()
    }
  }

  /** If the container of the script ends, the helper still has a moment to read what it printed. */
  private async follow(
    script: HelperScript,
    log: JobLog,
    following: AbortController,
  ): Promise<ScriptEnd | undefined> {
    const { helper, pod } = this.parts
    const ends = linkSignals(following.signal, pod.lost)
    const onScriptsLost = () =>
      void pause(REST, ends.signal).then(() => following.abort(pod.scriptsLost.reason))
    pod.scriptsLost.addEventListener('abort', onScriptsLost, { once: true })
    if (pod.scriptsLost.aborted) onScriptsLost()
    try {
      await helper.startScript(script, this.variables, ends.signal)
      return await helper.followScript(script, log.output, ends.signal)
    } finally {
      pod.scriptsLost.removeEventListener('abort', onScriptsLost)
      ends.release()
    }
  }

  /** Throws why a script has ended without saying how: the cluster may report it a moment later. */
  private async throwLoss(): Promise<never> {
    const { scriptsLost, title } = this.parts.pod
    await pause(REST, scriptsLost)
    scriptsLost.throwIfAborted()
    throw new ExecutorError(
      `The script was ended by another process in the pod ${title}, or its files were removed`,
      'runner_system_failure',
    )
  }

  /** Ends the processes of the script when `signal` aborts, then the following of its output. */
  private stopOnAbort(
    script: HelperScript,
    signal: AbortSignal,
    following: AbortController,
  ): { finished: () => Promise<void> } {
    let stopping: Promise<void> | undefined
    const stop = () => {
      stopping ??= this.stop(script, following.signal).then(() => following.abort(signal.reason))
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

  private async stop(script: HelperScript, isOver: AbortSignal): Promise<void> {
    await this.signalScript(script, 'TERM', STOP_GRACE_SECONDS * SECOND, isOver)
    await this.signalScript(script, 'KILL', REST, isOver)
  }

  /** Sends a signal, and waits for its effect. Does not throw: the deletion of the pod ends everything. */
  private async signalScript(
    script: HelperScript,
    name: 'TERM' | 'KILL',
    milliseconds: number,
    isOver: AbortSignal,
  ): Promise<void> {
    if (isOver.aborted) return
    const { helper, logger, pod } = this.parts
    helper.signalScript(script, name).catch((error: unknown) => {
      logger.warn({ pod: pod.title, signal: name, error: messageOf(error) }, 'A script was not stopped')
    })
    await pause(milliseconds, isOver)
  }

  private get shellParts(): PodShellParts {
    const { namespace, name, workingDirectory } = this.current
    return {
      cluster: this.parts.cluster,
      place: { namespace, pod: name, container: BUILD },
      control: this.parts.control,
      workingDirectory,
      logger: this.parts.logger,
    }
  }
}
