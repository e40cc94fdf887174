import type { Duplex, Writable } from 'node:stream'

import { linkSignals } from '../../../lib/link-signals.js'
import { pause, withJitter } from '../../../lib/pause.js'
import { untilAborted } from '../../../lib/until-aborted.js'
import { VERSION } from '../../../lib/version.js'
import type { HelperScript, OpenHelperOptions } from '../../executor/environment-helper.js'
import { ExecutorError } from '../../executor/executor.js'
import type { OutputCursor } from '../../executor/output/output-cursor.js'
import type { ScriptEnd } from '../../executor/script-end.js'
import type { HelperStageJob, JobHelper } from '../../job/job-helper.js'
import { type JobOutcome, SUCCESS } from '../../job/outcome.js'
import { type FileStage, hasFilesFor } from '../../job/stages/file-stage.js'
import type { FileOwner, JobWorkspace, WorkspaceRequest } from '../../workspace/workspace.js'
import { isResult, type Method, type Params, type Result } from '../protocol/calls.js'
import { HelperConnectionLostError } from '../protocol/errors.js'
import { HelperConnection, type RequestReceiver } from './helper-connection.js'
import type { MakeRequest, RequestOptions } from './make-request.js'
import { RemoteWorkspace } from './remote-workspace.js'
import { requestFileStage } from './request-file-stage.js'
import { writeAll } from './write-all.js'

/** Losses in a row, of connections that lasted shorter than `STABLE`, after which a request fails. */
const MAX_LOSSES = 6
const STABLE = 60_000
const FIRST_DELAY = 500
const MAX_DELAY = 10_000
/** Milliseconds in which an aborted request ends by itself, such as a `git fetch`. */
const ABORT_LIMIT = 10_000

const NEVER = new AbortController().signal

export interface HelperClientOptions extends OpenHelperOptions {
  /** Of this program. */
  version?: string
  /** Milliseconds before the second attempt to connect. Doubles on each attempt, up to 10 seconds. */
  firstDelay?: number
}

/** The side of the runner: requests to the helper process of one job, which is started when it is needed. */
export class HelperClient implements JobHelper {
  private connection: Promise<HelperConnection> | undefined
  private isConnecting = false
  private readonly closing = new AbortController()
  /** That of the job, once it is open. */
  private workspace: WorkspaceRequest | undefined
  private opened: RemoteWorkspace | undefined

  constructor(private readonly options: HelperClientOptions) {}

  async ready(signal: AbortSignal): Promise<FileOwner> {
    return await this.request('ready', {}, { signals: { work: signal } })
  }

  async openWorkspace(request: WorkspaceRequest, isNew: boolean): Promise<JobWorkspace> {
    const workspace = { ...request, files: undefined, cores: this.options.cores }
    await this.request('openWorkspace', { workspace, isNew })
    this.workspace = workspace
    this.opened = new RemoteWorkspace(this.options, workspace, this.request)
    return this.opened
  }

  async runFileStage(job: HelperStageJob, stage: FileStage, isSuccess: boolean): Promise<JobOutcome> {
    if (!this.workspace) throw new Error('A stage needs the workspace of its job')
    if (!hasFilesFor(stage, job.payload)) return SUCCESS
    return await requestFileStage(this.request, this.workspace, job, stage, isSuccess)
  }

  async startScript(
    script: HelperScript,
    variables: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.request('startScript', { script, variables: { ...variables } }, { signals: { work: signal } })
  }

  async followScript(
    script: HelperScript,
    output: Writable,
    signal: AbortSignal,
  ): Promise<ScriptEnd | undefined> {
    let start: OutputCursor | undefined
    let skip = 0
    const receiver: RequestReceiver = {
      data: async (bytes, _, cursor) => {
        await writeAll(output, bytes)
        start = cursor ?? start
        skip = cursor ? 0 : skip + bytes.length
      },
    }
    const params = () => ({ script, skip, ...(start ? { start } : {}) })
    const options = { signals: { work: signal }, receiver, isContinued: true }
    const end = await this.request('followScript', params, options)
    return end ? { ...end, ranOutOfMemory: end.ranOutOfMemory } : undefined
  }

  async signalScript(script: HelperScript, name: 'TERM' | 'KILL'): Promise<void> {
    await this.request('signalScript', { script, name })
  }

  async close(): Promise<void> {
    // The job closes its workspace as well, and reports this failure.
    await this.opened?.close().catch(() => undefined)
    this.closing.abort(new ExecutorError('The helper of the job was closed', 'runner_system_failure'))
    const connection = await this.connection?.catch(() => undefined)
    await connection?.close()
  }

  private readonly request: MakeRequest = async (method, params, options = {}) => {
    let losses = 0
    for (;;) {
      const begun = performance.now()
      const { receiver, hasArrived } = observed(options.receiver ?? {})
      try {
        return await this.requestOnce(method, paramsOf(params), { ...options, receiver })
      } catch (error) {
        if (!(error instanceof HelperConnectionLostError)) throw error
        const hasWorked = performance.now() - begun > STABLE || (options.isContinued && hasArrived())
        losses = hasWorked ? 1 : losses + 1
        if (losses >= MAX_LOSSES) throw lostForGood(error)
        await this.beforeNext(losses)
        options.onRepeat?.()
      }
    }
  }

  private async beforeNext(losses: number): Promise<void> {
    const { firstDelay = FIRST_DELAY } = this.options
    await pause(withJitter(Math.min(firstDelay * 2 ** (losses - 1), MAX_DELAY)), this.closing.signal)
  }

  private async requestOnce<M extends Method>(
    method: M,
    params: Params<M>,
    { signals = {}, receiver = {} }: RequestOptions,
  ): Promise<Result<M>> {
    const ending = signals.files ?? signals.work ?? NEVER
    const either = linkSignals(ending, this.closing.signal)
    try {
      const connection = await orAborted(this.connected(), either.signal)
      const result = await this.resultOf(connection, method, params, { signals, receiver }, either.signal)
      if (isResult(method, result)) return result
      throw new ExecutorError(`The helper sent an unusable result of "${method}"`, 'runner_system_failure')
    } finally {
      either.release()
    }
  }

  private async resultOf(
    connection: HelperConnection,
    method: Method,
    params: object,
    { signals = {}, receiver = {} }: RequestOptions,
    ending: AbortSignal,
  ): Promise<unknown> {
    const request = connection.request(method, params, receiver)
    const stops = Object.entries(signals).map(([name, signal]) =>
      onAbort(signal, () => request.abort(name === 'files' ? 'files' : 'work', signal.reason)),
    )
    const limit = new AbortController()
    stops.push(
      onAbort(ending, () => void pause(ABORT_LIMIT, limit.signal).then(() => limit.abort(ending.reason))),
    )
    try {
      const body = await untilAborted(request.result, limit.signal)
      return JSON.parse(body.toString())
    } catch (error) {
      ending.throwIfAborted()
      throw error
    } finally {
      limit.abort()
      stops.forEach((stop) => stop())
    }
  }

  /** The connection, which all requests share. */
  private async connected(): Promise<HelperConnection> {
    const current = await this.connection?.catch(() => undefined)
    if (current && !current.isLost) return current
    // Another request may have begun to connect in the meantime.
    this.connection = this.isConnecting ? this.connection : this.connect()
    if (!this.connection) throw new HelperConnectionLostError('There is no connection')
    return await this.connection
  }

  private async connect(): Promise<HelperConnection> {
    this.isConnecting = true
    try {
      const { signal } = this.closing
      signal.throwIfAborted()
      const stream = await this.options.connect(signal)
      return await openConnection(stream, this.options.version ?? VERSION, signal)
    } finally {
      this.isConnecting = false
    }
  }
}

/** When `signal` aborts, does not wait for a process that says nothing. */
async function openConnection(
  stream: Duplex,
  version: string,
  signal: AbortSignal,
): Promise<HelperConnection> {
  const ignore = onAbort(signal, () => stream.destroy())
  try {
    return await HelperConnection.open(stream, version)
  } finally {
    ignore()
  }
}

function paramsOf<M extends Method>(params: Params<M> | (() => Params<M>)): Params<M> {
  return isFunction(params) ? params() : params
}

function isFunction<T>(value: T | (() => T)): value is () => T {
  return typeof value === 'function'
}

/** `hasArrived`: whether there was any data. */
function observed(receiver: RequestReceiver): { receiver: RequestReceiver; hasArrived: () => boolean } {
  let hasArrived = false
  const data: RequestReceiver['data'] = async (bytes, stream, cursor) => {
    await receiver.data?.(bytes, stream, cursor)
    hasArrived = true
  }
  return { receiver: { ...receiver, data }, hasArrived: () => hasArrived }
}

function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener()
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {})
  signal.throwIfAborted()
  return await untilAborted(work, signal)
}

function lostForGood(error: HelperConnectionLostError): ExecutorError {
  const message = `The helper process of the job ends again and again: ${error.message}`
  return new ExecutorError(message, 'runner_system_failure', { cause: error })
}
