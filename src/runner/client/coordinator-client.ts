import type { Readable } from 'node:stream'

import { formatContentRange, parseRangeEnd } from '../../protocol/content-range.js'
import {
  JOB_STATUS_HEADER,
  JOB_TOKEN_HEADER,
  LAST_UPDATE_HEADER,
  TRACE_UPDATE_INTERVAL_HEADER,
} from '../../protocol/headers.js'
import type { JobUpdate } from '../../protocol/job-update.js'
import type { ReleaseRequest } from '../../protocol/release-request.js'
import type { NewRunnerToken, RegisterRunner, RunnerCredentials } from '../../protocol/runner-registration.js'
import { header, isJson, messageIn, readJson, refusal } from './answers.js'
import { CoordinatorAnswerError } from './errors.js'
import { type Answer, type Call, type CallObserver, HttpTransport, type TlsFiles } from './http-transport.js'
import type { ReceivedJob } from './job-answer.js'
import { fileForm } from './multipart-form.js'
import { runnerInfo } from './runner-info.js'

const RUNNER_TOKEN_HEADER = 'runner-token'
const MAX_TRACE_INTERVAL_SECONDS = 900

export interface RunnerIdentity {
  url: string
  token: string
  systemId: string
  executor?: string
  tls?: TlsFiles
  labels?: Record<string, string>
}

/** A job as calls about it name it. */
export interface JobIdentity {
  id: number
  token: string
}

export type JobRequestAnswer =
  | ReceivedJob
  | { kind: 'none' }
  /** The coordinator does not know this runner. */
  | { kind: 'forbidden' }

/** What every answer about a running job may carry (runner protocol, 3.2). */
export interface JobSignals {
  status: number
  /** `Job-Status`, undefined when the server sends none. */
  jobStatus: string | undefined
  /** Seconds until the next patch, when the server wishes one. */
  traceInterval: number | undefined
}

export interface ArtifactQuery {
  expireIn?: string | undefined
  format?: string | undefined
  type?: string | undefined
}

/** One file of an upload; its bytes are read once. */
export interface UploadedFile {
  name: string
  content: Readable
}

/** What the work on one job asks of whoever gave it out: a coordinator, or what stands in for one. */
export type JobClient = Pick<
  CoordinatorClient,
  | 'updateJob'
  | 'waitForSignal'
  | 'appendTrace'
  | 'uploadArtifact'
  | 'downloadArtifacts'
  | 'callForJob'
  | 'createRelease'
>

/** The schema lets bodies say `tags` as an array; the wire of registration has them as one string as well. */
export type Registration = Omit<RegisterRunner, 'tag_list' | 'info'> & { tag_list?: string }

/**
 * Every call of one runner to its coordinator. Throws `CoordinatorUnreachableError` when no answer came and
 * `CoordinatorAnswerError` for one that is of no use; where the protocol gives a status a meaning of its own, it is
 * part of what is answered.
 */
export class CoordinatorClient {
  private readonly transport: HttpTransport
  /** The queue version last heard of, in the coordinator's own words (runner protocol, 2.3). */
  private lastUpdate: string | undefined
  private token: string

  constructor(
    private readonly identity: RunnerIdentity,
    observer?: CallObserver,
  ) {
    this.token = identity.token
    this.transport = new HttpTransport(identity.url, identity.tls, observer)
  }

  /** Every call that begins from now on is made with this token. */
  replaceToken(token: string): void {
    this.token = token
  }

  async registerRunner(registration: Registration): Promise<RunnerCredentials> {
    const answer = await this.sendJson('POST', 'runners', { ...registration, info: runnerInfo() })
    if (answer.status === 201) return this.readCredentials(answer)
    if (answer.status === 403) throw await refusal(answer, 'The registration token is not valid')
    throw await refusal(answer, 'The coordinator did not register the runner')
  }

  /** The credentials that the coordinator knows; undefined when it confirms the token without saying more. */
  async verifyRunner(): Promise<RunnerCredentials | undefined> {
    const answer = await this.sendJson('POST', 'runners/verify', this.withToken({ info: this.info() }))
    if (answer.status !== 200) throw await refusal(answer, 'The coordinator does not accept the runner')
    if (!isJson(answer)) {
      await answer.body.dump()
      return undefined
    }
    return this.readCredentials(answer)
  }

  /** Removes the runner. */
  async unregisterRunner(): Promise<void> {
    const answer = await this.sendJson('DELETE', 'runners', { token: this.token })
    if (answer.status !== 204) throw await refusal(answer, 'The coordinator did not remove the runner')
    await answer.body.dump()
  }

  /** Removes this machine from a runner that was created by a user (runner protocol, 1.6). */
  async unregisterManager(): Promise<void> {
    const answer = await this.sendJson('DELETE', 'runners/managers', this.withToken({}))
    if (answer.status !== 204) throw await refusal(answer, 'The coordinator did not remove this machine')
    await answer.body.dump()
  }

  /** Has the runner's token replaced; the one in use is not valid any more. */
  async resetToken(): Promise<NewRunnerToken> {
    const path = 'runners/reset_authentication_token'
    return this.readReset(await this.sendJson('POST', path, { token: this.token }))
  }

  /** The same for the runner with this id, in the name of the person whose token is given. */
  async resetTokenFor(id: number, personalToken: string): Promise<NewRunnerToken> {
    const path = `runners/${id}/reset_authentication_token`
    const headers = { accept: 'application/json', 'private-token': personalToken }
    return this.readReset(await this.transport.send({ method: 'POST', path, headers }))
  }

  /**
   * Asks for a job. With `mayBeHeld` the coordinator may keep the request open until there is one. Aborting gives up
   * a request that has no answer yet; an answer that has begun is returned even so.
   */
  async requestJob(options: { mayBeHeld: boolean; signal: AbortSignal }): Promise<JobRequestAnswer> {
    const last_update = options.mayBeHeld ? this.lastUpdate : undefined
    const body = this.withToken({ info: this.info(), ...(last_update === undefined ? {} : { last_update }) })
    const answer = await this.sendJson('POST', 'jobs/request', body, options.signal)
    switch (answer.status) {
      case 201:
        return this.readJob(answer)
      case 204:
        await answer.body.dump()
        return { kind: 'none' }
      case 403:
        await answer.body.dump()
        return { kind: 'forbidden' }
      default:
        throw await refusal(answer, 'The coordinator did not answer the job request')
    }
  }

  async updateJob(job: JobIdentity, update: Omit<JobUpdate, 'token' | 'info'>): Promise<JobSignals> {
    const answer = await this.transport.send({
      method: 'PUT',
      path: `jobs/${job.id}`,
      headers: { 'content-type': 'application/json', [JOB_TOKEN_HEADER]: job.token },
      body: JSON.stringify({ info: this.info(), token: job.token, ...update }),
    })
    return this.readSignals(answer)
  }

  /** Held by the coordinator until the job has another status than `known`, if it offers that (`job_signals`). */
  async waitForSignal(job: JobIdentity, known: string, signal: AbortSignal): Promise<JobSignals> {
    const answer = await this.transport.send({
      method: 'GET',
      path: `jobs/${job.id}/signals?status=${encodeURIComponent(known)}`,
      headers: { [JOB_TOKEN_HEADER]: job.token },
      signal,
    })
    return this.readSignals(answer)
  }

  /** Appends bytes to the trace at `offset`; `nextOffset` is where the coordinator wants to go on after a 416. */
  async appendTrace(
    job: JobIdentity,
    offset: number,
    bytes: Buffer,
    isDebug: boolean,
  ): Promise<JobSignals & { nextOffset: number }> {
    const answer = await this.transport.send({
      method: 'PATCH',
      path: `jobs/${job.id}/trace?debug_trace=${isDebug}`,
      headers: {
        'content-type': 'text/plain',
        'content-range': formatContentRange(offset, bytes.length),
        [JOB_TOKEN_HEADER]: job.token,
      },
      body: bytes,
    })
    return { ...(await this.readSignals(answer)), nextOffset: parseRangeEnd(header(answer, 'range')) }
  }

  /**
   * Sends one artifact as the only file of a form whose length is not known in advance (runner protocol, 5.1). A
   * coordinator that has it sent elsewhere says so by `location`; `server` is that other one's origin then.
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
    const answer = await this.transport.send({
      method: 'POST',
      path: options.server === undefined ? path : `${options.server}/api/v4/${path}`,
      headers: { 'content-type': form.contentType, [JOB_TOKEN_HEADER]: job.token },
      body: form.body,
      signal,
      ...(options.headersTimeout === undefined ? {} : { headersTimeout: options.headersTimeout }),
    })
    const location = header(answer, 'location')
    return {
      status: answer.status,
      message: await messageIn(answer),
      location: location === undefined ? undefined : new URL(location, this.identity.url),
    }
  }

  /**
   * Opens the archive of another job. A redirect to another host is followed without the token (runner protocol, 5.2).
   */
  async downloadArtifacts(
    dependency: JobIdentity,
    options: { mayRedirect: boolean; signal: AbortSignal },
  ): Promise<{ status: number; body: Readable }> {
    const { mayRedirect, signal } = options
    const path = `jobs/${dependency.id}/artifacts${mayRedirect ? '?direct_download=true' : ''}`
    const headers = { [JOB_TOKEN_HEADER]: dependency.token }
    const answer = await this.transport.send({ method: 'GET', path, headers, signal })
    const location = header(answer, 'location')
    if (!mayRedirect || location === undefined || ![302, 307].includes(answer.status)) return answer
    await answer.body.dump()
    const target = new URL(location, this.identity.url)
    const isSameHost = target.origin === new URL(this.identity.url).origin
    return this.transport.send({
      method: 'GET',
      path: target.href,
      headers: isSameHost ? headers : {},
      signal,
    })
  }

  /** A call to an address below the job's own, with the job's token. */
  async callForJob(job: JobIdentity, below: string, call: Call): Promise<Answer> {
    const headers = { ...call.headers, [JOB_TOKEN_HEADER]: job.token }
    return this.transport.send({ ...call, path: `jobs/${job.id}/${below}${call.path}`, headers })
  }

  /** Makes a release with the job's token; the server's words when it refuses. */
  async createRelease(
    job: JobIdentity,
    projectId: number,
    release: ReleaseRequest,
  ): Promise<string | undefined> {
    const answer = await this.transport.send({
      method: 'POST',
      path: `projects/${projectId}/releases`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        [JOB_TOKEN_HEADER]: job.token,
      },
      body: JSON.stringify(release),
    })
    if (answer.status !== 201) return messageIn(answer)
    await answer.body.dump()
    return undefined
  }

  /** Waits for the calls on their way. */
  async close(): Promise<void> {
    await this.transport.close()
  }

  /** Ends the calls on their way. */
  async destroy(): Promise<void> {
    await this.transport.destroy()
  }

  private info() {
    return runnerInfo(this.identity.executor, this.identity.labels)
  }

  private withToken<T extends object>(body: T) {
    return { ...body, token: this.token, system_id: this.identity.systemId }
  }

  private async sendJson(
    method: 'POST' | 'DELETE',
    path: string,
    body: object,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const answer = await this.transport.send({
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
    this.lastUpdate = header(answer, LAST_UPDATE_HEADER) || this.lastUpdate
    return answer
  }

  // What reads these answers brings the schema library along: a runner that only waits does without its memory.

  private async readReset(answer: Answer): Promise<NewRunnerToken> {
    if (answer.status !== 201) throw await refusal(answer, 'The coordinator did not replace the token')
    const { readNewToken } = await import('./credentials-answer.js')
    return readNewToken(await readJson(answer))
  }

  private async readCredentials(answer: Answer): Promise<RunnerCredentials> {
    const { readCredentials } = await import('./credentials-answer.js')
    return readCredentials(await readJson(answer))
  }

  private async readJob(answer: Answer): Promise<ReceivedJob> {
    const { readJobAnswer } = await import('./job-answer.js')
    const job = readJobAnswer(await readJson(answer))
    if (!job) throw new CoordinatorAnswerError('The coordinator sent a job without an id and a token', 201)
    return job
  }

  private async readSignals(answer: Answer): Promise<JobSignals> {
    await answer.body.dump()
    const seconds = Number(header(answer, TRACE_UPDATE_INTERVAL_HEADER))
    return {
      status: answer.status,
      jobStatus: header(answer, JOB_STATUS_HEADER),
      traceInterval:
        Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, MAX_TRACE_INTERVAL_SECONDS) : undefined,
    }
  }
}

/** With its question mark; empty when there is nothing to say. */
export function artifactQuery(query: ArtifactQuery): string {
  const parameters = new URLSearchParams()
  if (query.expireIn) parameters.set('expire_in', query.expireIn)
  if (query.format) parameters.set('artifact_format', query.format)
  if (query.type) parameters.set('artifact_type', query.type)
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}
