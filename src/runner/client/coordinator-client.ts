import type { Readable } from 'node:stream'

import type { WebSocket } from 'ws'

import { isRecord } from '../../lib/is-record.js'
import { formatContentRange, parseRangeEnd } from '../../protocol/content-range.js'
import {
  HOLD_TOKEN_HEADER,
  JOB_STATUS_HEADER,
  JOB_TOKEN_HEADER,
  LAST_UPDATE_HEADER,
  TRACE_INTERVAL_HEADER,
  TRACE_UPDATE_INTERVAL_HEADER,
} from '../../protocol/headers.js'
import type { JobUpdate } from '../../protocol/job-update.js'
import type { ReleaseRequest } from '../../protocol/release-request.js'
import type { NewRunnerToken, RegisterRunner, RunnerCredentials } from '../../protocol/runner-registration.js'
import type { WantedTerminal } from '../../protocol/wanted-terminal.js'
import type { HttpResponse } from './connections.js'
import { CoordinatorResponseError } from './errors.js'
import {
  type Call,
  type CallObserver,
  fileForm,
  header,
  HttpTransport,
  isJson,
  messageIn,
  readJson,
  refusal,
  type TlsFiles,
} from './http-transport.js'
import type { ReceivedJob } from './job-response.js'
import { type ReportedState, runnerInfo } from './runner-info.js'

const RUNNER_TOKEN_HEADER = 'runner-token'
const MIN_TRACE_INTERVAL_SECONDS = 0.1
const MAX_TRACE_INTERVAL_SECONDS = 900

export interface RunnerIdentity {
  url: string
  token: string
  systemId: string
  executor?: string
  tls?: TlsFiles
  labels?: Record<string, string>
  /** Called for each request that reports it. */
  state?: () => ReportedState
}

/** Identifies a job in requests. */
export interface JobIdentity {
  id: number
  token: string
}

export type JobRequestResponse =
  | ReceivedJob
  | { kind: 'none' }
  /** The coordinator does not know this runner. */
  | { kind: 'forbidden' }

/** Values that every response about a running job may carry (runner protocol, 3.2). */
export interface JobSignals {
  status: number
  /** `Job-Status`. Undefined if the server sends none. */
  jobStatus: string | undefined
  /** Seconds until the next patch, if the server sends them. */
  traceInterval: number | undefined
}

/** What the runner knows of its job. */
export interface KnownSignals {
  status: string
  /** Whether somebody reads the log. */
  isWatched: boolean
  /** IDs of the shells that it has opened. Undefined if it opens none. */
  shells?: readonly string[] | undefined
}

export interface ArtifactQuery {
  expireIn?: string | undefined
  format?: string | undefined
  type?: string | undefined
}

/** The file of an upload. Its content is read once. */
export interface UploadedFile {
  name: string
  content: Readable
}

/** What a runner reports of a hold. */
export interface ReportedHold {
  place: string
  hasTerminal: boolean
  /** From now on. */
  seconds: number
  maxSeconds: number
}

/** The state of a hold at the coordinator. */
export interface HoldNews {
  revision: number
  hasEnded: boolean
  /** Seconds that the job is held from now on. */
  seconds: number
  /** Shells to open now. */
  terminals: WantedTerminal[]
}

/** The calls about a job that is held after its end. */
export type HoldClient = Pick<
  CoordinatorClient,
  'beginHold' | 'waitForHold' | 'changeHold' | 'endHold' | 'openTerminalSocket'
>

/** The calls that running a job needs. The local run implements them without a coordinator. */
export type JobClient = Pick<
  CoordinatorClient,
  | 'updateJob'
  | 'waitForSignal'
  | 'appendTrace'
  | 'uploadArtifact'
  | 'downloadArtifacts'
  | 'callForJob'
  | 'follow'
  | 'createRelease'
>

/** The schema declares `tags` as an array, but the wire protocol also allows one string for registration. */
export type Registration = Omit<RegisterRunner, 'tag_list' | 'info'> & { tag_list?: string }

/**
 * All requests of one runner to its coordinator. Throws `CoordinatorUnreachableError` if no response arrives, and
 * `CoordinatorResponseError` for an unusable response. A status that the protocol gives a meaning is returned as a
 * value.
 */
export class CoordinatorClient {
  private readonly transport: HttpTransport
  /** The last queue version received, as an opaque text (runner protocol, 2.3). */
  private lastUpdate: string | undefined
  private token: string
  /** The state that the coordinator was sent last, as JSON. Undefined if it may not have it. */
  private reportedState: string | undefined

  constructor(
    private readonly identity: RunnerIdentity,
    observer?: CallObserver,
  ) {
    this.token = identity.token
    this.transport = new HttpTransport(identity.url, identity.tls, observer)
  }

  /** Uses this token for all later requests. */
  replaceToken(token: string): void {
    this.token = token
  }

  async registerRunner(registration: Registration): Promise<RunnerCredentials> {
    const response = await this.sendJson('POST', 'runners', { ...registration, info: runnerInfo() })
    if (response.status === 201) return this.readCredentials(response)
    if (response.status === 403) throw await refusal(response, 'The registration token is not valid')
    throw await refusal(response, 'The coordinator did not register the runner')
  }

  /** Returns the credentials that the coordinator knows. Undefined if it confirms the token without credentials. */
  async verifyRunner(): Promise<RunnerCredentials | undefined> {
    const response = await this.sendInfo('runners/verify')
    if (response.status !== 200) throw await refusal(response, 'The coordinator does not accept the runner')
    if (!isJson(response)) {
      await response.body.dump()
      return undefined
    }
    return this.readCredentials(response)
  }

  /** Whether the state of the runner differs from the one that the coordinator was sent last. */
  get hasUnreportedState(): boolean {
    return JSON.stringify(this.state) !== this.reportedState
  }

  /** Reports the state of the runner without a request for a job. */
  async reportState(signal: AbortSignal): Promise<void> {
    const response = await this.sendInfo('runners/verify', {}, signal)
    if (response.status !== 200) {
      this.reportedState = undefined
      throw await refusal(response, 'The coordinator did not accept the state of the runner')
    }
    await response.body.dump()
  }

  /** Deletes the runner. */
  async unregisterRunner(): Promise<void> {
    const response = await this.sendJson('DELETE', 'runners', { token: this.token })
    if (response.status !== 204) throw await refusal(response, 'The coordinator did not remove the runner')
    await response.body.dump()
  }

  /** Removes this machine from a runner that a user created (runner protocol, 1.6). */
  async unregisterManager(): Promise<void> {
    const response = await this.sendJson('DELETE', 'runners/managers', this.withToken({}))
    if (response.status !== 204) throw await refusal(response, 'The coordinator did not remove this machine')
    await response.body.dump()
  }

  /** Replaces the token of the runner. The current token becomes invalid. */
  async resetToken(): Promise<NewRunnerToken> {
    const path = 'runners/reset_authentication_token'
    return this.readReset(await this.sendJson('POST', path, { token: this.token }))
  }

  /** Replaces the token of the runner with this ID. Authenticates with a personal access token. */
  async resetTokenFor(id: number, personalToken: string): Promise<NewRunnerToken> {
    const path = `runners/${id}/reset_authentication_token`
    const headers = { accept: 'application/json', 'private-token': personalToken }
    return this.readReset(await this.transport.send({ method: 'POST', path, headers }))
  }

  /**
   * Number of waiting jobs that this runner may take. Undefined if the coordinator does not report it, as the reference
   * does not.
   */
  async countQueued(signal: AbortSignal): Promise<number | undefined> {
    const response = await this.transport.send({
      method: 'GET',
      path: `runners/queue/own?system_id=${encodeURIComponent(this.identity.systemId)}`,
      headers: { accept: 'application/json', [RUNNER_TOKEN_HEADER]: this.token },
      signal,
    })
    if (response.status !== 200 || !isJson(response)) {
      await response.body.dump()
      return undefined
    }
    const body = await readJson(response)
    return isRecord(body) && Number.isInteger(body['count']) ? Number(body['count']) : undefined
  }

  /**
   * Requests a job. With `mayBeHeld`, the coordinator may hold the request until there is a job. The signal aborts
   * a request that has no response yet. A response that has begun is still returned.
   */
  async requestJob(options: { mayBeHeld: boolean; signal: AbortSignal }): Promise<JobRequestResponse> {
    const last_update = options.mayBeHeld ? this.lastUpdate : undefined
    const more = last_update === undefined ? {} : { last_update }
    const response = await this.sendInfo('jobs/request', more, options.signal)
    switch (response.status) {
      case 201:
        return this.readJob(response)
      case 204:
        await response.body.dump()
        return { kind: 'none' }
      case 403:
        await response.body.dump()
        return { kind: 'forbidden' }
      default:
        throw await refusal(response, 'The coordinator refused the job request')
    }
  }

  async updateJob(job: JobIdentity, update: Omit<JobUpdate, 'token' | 'info'>): Promise<JobSignals> {
    const response = await this.transport.send({
      method: 'PUT',
      path: `jobs/${job.id}`,
      headers: { 'content-type': 'application/json', [JOB_TOKEN_HEADER]: job.token },
      body: JSON.stringify({ info: this.info(), token: job.token, ...update }),
    })
    return this.readSignals(response)
  }

  /**
   * Waits until the status of the job differs from `known.status`, somebody begins to read the log, or asks for a shell.
   * The coordinator holds the request if it supports `job_signals`.
   */
  async waitForSignal(
    job: JobIdentity,
    { isWatched, status, shells }: KnownSignals,
    signal: AbortSignal,
  ): Promise<JobSignals & { terminals?: WantedTerminal[] }> {
    const query = new URLSearchParams({ watched: String(isWatched), status })
    if (shells) query.set('terminals', shells.join(','))
    const response = await this.transport.send({
      method: 'GET',
      path: `jobs/${job.id}/signals?${query.toString()}`,
      headers: { [JOB_TOKEN_HEADER]: job.token },
      signal,
    })
    if (response.status !== 200 || !shells || !isJson(response)) return this.readSignals(response)
    const body = await readJson(response)
    return { ...signalsIn(response), terminals: terminalsIn(body) }
  }

  /** Reports that a running job will be held. Returns the token for calls about the hold. */
  async beginHold(job: JobIdentity, hold: ReportedHold): Promise<string> {
    const { place, hasTerminal, seconds, maxSeconds } = hold
    const body = { place, has_terminal: hasTerminal, seconds, max_seconds: maxSeconds }
    const response = await this.callForHold('POST', job.id, { [JOB_TOKEN_HEADER]: job.token }, body)
    const { token } = (await readJson(response)) as { token?: unknown }
    if (typeof token === 'string') return token
    throw new CoordinatorResponseError('The coordinator sent no token for the hold', response.status)
  }

  /** Waits for a change of a hold. `none`: there was none yet. `unknown`: the coordinator does not know the hold. */
  async waitForHold(
    jobId: number,
    token: string,
    revision: number,
    signal: AbortSignal,
  ): Promise<HoldNews | 'none' | 'unknown'> {
    const response = await this.transport.send({
      method: 'GET',
      path: `jobs/${jobId}/hold?revision=${revision}`,
      headers: { [HOLD_TOKEN_HEADER]: token },
      signal,
    })
    if (response.status === 200) return newsIn(await readJson(response))
    if (response.status === 204) {
      await response.body.dump()
      return 'none'
    }
    const refused = await refusal(response, 'The coordinator does not report the hold')
    if (isUnknownHold(refused.status)) return 'unknown'
    throw refused
  }

  async changeHold(jobId: number, token: string, seconds: number): Promise<void> {
    const response = await this.callForHold('PUT', jobId, { [HOLD_TOKEN_HEADER]: token }, { seconds })
    await response.body.dump()
  }

  /** Reports the end of a hold. It is no error if the coordinator does not know the hold. */
  async endHold(jobId: number, token: string, reason: string): Promise<void> {
    try {
      const response = await this.callForHold('DELETE', jobId, { [HOLD_TOKEN_HEADER]: token }, { reason })
      await response.body.dump()
    } catch (error) {
      if (!(error instanceof CoordinatorResponseError) || !isUnknownHold(error.status)) throw error
    }
  }

  /** Opens the runner's side of a terminal. `token`: of the hold, or of the running job. */
  async openTerminalSocket(id: string, token: { hold: string } | { job: string }): Promise<WebSocket> {
    const headers: Record<string, string> =
      'hold' in token ? { [HOLD_TOKEN_HEADER]: token.hold } : { [JOB_TOKEN_HEADER]: token.job }
    return await this.transport.openSocket(`terminals/${id}`, headers)
  }

  /** Throws `CoordinatorResponseError` if the coordinator refuses the call. */
  private async callForHold(
    method: 'POST' | 'PUT' | 'DELETE',
    jobId: number,
    headers: Record<string, string>,
    body: object,
  ): Promise<HttpResponse> {
    const response = await this.transport.send({
      method,
      path: `jobs/${jobId}/hold`,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (response.status < 400) return response
    throw await refusal(response, 'The coordinator refuses the hold')
  }

  /** Appends bytes to the log at `offset`. After a 416, `nextOffset` is the offset that the coordinator expects. */
  async appendTrace(
    job: JobIdentity,
    offset: number,
    bytes: Buffer,
    isDebug: boolean,
  ): Promise<JobSignals & { nextOffset: number }> {
    const response = await this.transport.send({
      method: 'PATCH',
      path: `jobs/${job.id}/trace?debug_trace=${isDebug}`,
      headers: {
        'content-type': 'text/plain',
        'content-range': formatContentRange(offset, bytes.length),
        [JOB_TOKEN_HEADER]: job.token,
      },
      body: bytes,
    })
    return { ...(await this.readSignals(response)), nextOffset: parseRangeEnd(header(response, 'range')) }
  }

  /**
   * Uploads one artifact as the only file of a form with unknown length (runner protocol, 5.1). If the upload must
   * go to another host, the coordinator returns its `location`. `server` is then the origin of that host.
   */
  async uploadArtifact(
    job: JobIdentity,
    query: ArtifactQuery,
    file: UploadedFile,
    signal: AbortSignal,
    options: { server?: string | undefined; headersTimeout?: number } = {},
  ): Promise<{ status: number; message: string; location: URL | undefined }> {
    const path = `jobs/${job.id}/artifacts${artifactQuery(query)}`
    const form = fileForm(file.name, file.content)
    const response = await this.transport.send({
      method: 'POST',
      path: options.server === undefined ? path : `${options.server}/api/v4/${path}`,
      headers: { 'content-type': form.contentType, [JOB_TOKEN_HEADER]: job.token },
      body: form.body,
      signal,
      ...(options.headersTimeout === undefined ? {} : { headersTimeout: options.headersTimeout }),
    })
    const location = header(response, 'location')
    return {
      status: response.status,
      message: await messageIn(response),
      location: location === undefined ? undefined : new URL(location, this.identity.url),
    }
  }

  /**
   * Opens the artifacts archive of another job. Follows a redirect to another host without sending the token
   * (runner protocol, 5.2).
   */
  async downloadArtifacts(
    dependency: JobIdentity,
    options: { mayRedirect: boolean; signal: AbortSignal },
  ): Promise<{ status: number; body: Readable }> {
    const { mayRedirect, signal } = options
    const path = `jobs/${dependency.id}/artifacts${mayRedirect ? '?direct_download=true' : ''}`
    const headers = { [JOB_TOKEN_HEADER]: dependency.token }
    const response = await this.transport.send({ method: 'GET', path, headers, signal })
    return mayRedirect ? this.follow(response, headers, signal) : response
  }

  /** Follows a redirect to another host without sending the headers. */
  async follow(
    response: HttpResponse,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<HttpResponse> {
    return this.transport.follow(response, headers, signal)
  }

  /** Sends a request to a path below that of the job, with the job token. */
  async callForJob(job: JobIdentity, below: string, call: Call): Promise<HttpResponse> {
    const headers = { ...call.headers, [JOB_TOKEN_HEADER]: job.token }
    return this.transport.send({ ...call, path: `jobs/${job.id}/${below}${call.path}`, headers })
  }

  /** Creates a release with the job token. Returns the error message of the server if it refuses. */
  async createRelease(
    job: JobIdentity,
    projectId: number,
    release: ReleaseRequest,
  ): Promise<string | undefined> {
    const response = await this.transport.send({
      method: 'POST',
      path: `projects/${projectId}/releases`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        [JOB_TOKEN_HEADER]: job.token,
      },
      body: JSON.stringify(release),
    })
    if (response.status !== 201) return messageIn(response)
    await response.body.dump()
    return undefined
  }

  /** Waits for open requests. */
  async close(): Promise<void> {
    await this.transport.close()
  }

  /** Aborts open requests. */
  async destroy(): Promise<void> {
    await this.transport.destroy()
  }

  private get state(): ReportedState {
    return this.identity.state?.() ?? {}
  }

  private info(state = this.state) {
    return runnerInfo({ ...this.identity, ...state })
  }

  /** A call whose `info` the coordinator stores. */
  private async sendInfo(path: string, more: object = {}, signal?: AbortSignal): Promise<HttpResponse> {
    const { state } = this
    // Now, because the coordinator may hold the request.
    this.reportedState = JSON.stringify(state)
    try {
      return await this.sendJson('POST', path, this.withToken({ info: this.info(state), ...more }), signal)
    } catch (error) {
      this.reportedState = undefined
      throw error
    }
  }

  private withToken<T extends object>(body: T) {
    return { ...body, token: this.token, system_id: this.identity.systemId }
  }

  private async sendJson(
    method: 'POST' | 'DELETE',
    path: string,
    body: object,
    signal?: AbortSignal,
  ): Promise<HttpResponse> {
    const response = await this.transport.send({
      method,
      path,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(this.token === '' ? {} : { [RUNNER_TOKEN_HEADER]: this.token }),
      },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
    this.lastUpdate = header(response, LAST_UPDATE_HEADER) || this.lastUpdate
    return response
  }

  // These functions are loaded on demand, because they bring in the schema library. An idle runner needs less
  // memory without it.

  private async readReset(response: HttpResponse): Promise<NewRunnerToken> {
    if (response.status !== 201) throw await refusal(response, 'The coordinator did not replace the token')
    const { readNewToken } = await import('./credentials-response.js')
    return readNewToken(await readJson(response))
  }

  private async readCredentials(response: HttpResponse): Promise<RunnerCredentials> {
    const { readCredentials } = await import('./credentials-response.js')
    return readCredentials(await readJson(response))
  }

  private async readJob(response: HttpResponse): Promise<ReceivedJob> {
    const { readJobResponse } = await import('./job-response.js')
    const job = readJobResponse(await readJson(response))
    if (!job) throw new CoordinatorResponseError('The coordinator sent a job without an id and a token', 201)
    return job
  }

  private async readSignals(response: HttpResponse): Promise<JobSignals> {
    await response.body.dump()
    return signalsIn(response)
  }
}

function signalsIn(response: HttpResponse): JobSignals {
  return {
    status: response.status,
    jobStatus: header(response, JOB_STATUS_HEADER),
    traceInterval: traceIntervalIn(response),
  }
}

function isUnknownHold(status: number): boolean {
  return status === 403 || status === 404
}

function isTerminal(value: unknown): value is WantedTerminal {
  if (!isRecord(value)) return false
  const { id, command, columns, rows } = value
  return (
    typeof id === 'string' &&
    /^[0-9a-f]{32}$/.test(id) &&
    Array.isArray(command) &&
    command.every((word) => typeof word === 'string') &&
    Number.isInteger(columns) &&
    Number.isInteger(rows)
  )
}

function terminalsIn(body: unknown): WantedTerminal[] {
  const terminals = isRecord(body) ? body['terminals'] : undefined
  return Array.isArray(terminals) ? terminals.filter(isTerminal) : []
}

function newsIn(body: unknown): HoldNews {
  const { revision, has_ended: hasEnded, seconds } = isRecord(body) ? body : {}
  if (typeof revision === 'number' && typeof hasEnded === 'boolean' && typeof seconds === 'number')
    return {
      revision,
      hasEnded,
      seconds,
      terminals: terminalsIn(body),
    }
  throw new CoordinatorResponseError('The coordinator sent an unusable hold', 200)
}

function traceIntervalIn(response: HttpResponse): number | undefined {
  const fine = Number(header(response, TRACE_INTERVAL_HEADER))
  const whole = Number(header(response, TRACE_UPDATE_INTERVAL_HEADER))
  const seconds = fine > 0 ? fine : Number.isInteger(whole) ? whole : 0
  if (!(seconds > 0)) return undefined
  return Math.min(Math.max(seconds, MIN_TRACE_INTERVAL_SECONDS), MAX_TRACE_INTERVAL_SECONDS)
}

/** The query with its question mark. Empty if there are no parameters. */
export function artifactQuery(query: ArtifactQuery): string {
  const parameters = new URLSearchParams()
  if (query.expireIn) parameters.set('expire_in', query.expireIn)
  if (query.format) parameters.set('artifact_format', query.format)
  if (query.type) parameters.set('artifact_type', query.type)
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}
