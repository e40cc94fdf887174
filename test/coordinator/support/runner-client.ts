import { Readable } from 'node:stream'

import type { JobPayload } from '../../../src/protocol/job-payload.js'
import type { CiCoordinator } from './ci-coordinator.js'

/** A shortened `info` of the reference runner. */
export const INFO = {
  name: 'gitlab-runner',
  version: '19.3.0',
  revision: 'abcdef01',
  platform: 'linux',
  architecture: 'amd64',
  executor: 'docker',
  shell: 'bash',
  features: { variables: true, image: true, artifacts_exclude: true, refspecs: true },
  config: { gpus: '' },
}

/** Calls a coordinator like a runner: with JSON, and with the job token in a header for other bodies. */
export class RunnerClient {
  constructor(
    private readonly url: string,
    readonly token: string,
  ) {}

  /** Registers a runner of the instance. */
  static async register(
    { url, registrationToken }: CiCoordinator,
    parameters: Record<string, unknown> = {},
  ): Promise<RunnerClient> {
    const response = await send(url, 'POST', '/runners', {
      token: registrationToken,
      info: INFO,
      ...parameters,
    })
    if (response.status !== 201) throw new Error(await response.text())
    const { token } = (await response.json()) as { token: string }
    return new RunnerClient(url, token)
  }

  request(parameters: Record<string, unknown> = {}, init: RequestInit = {}): Promise<Response> {
    const body = { token: this.token, system_id: 's_0123456789ab', info: INFO, ...parameters }
    return send(this.url, 'POST', '/jobs/request', body, init)
  }

  /** Returns the next job; throws if there is none. */
  async takeJob(parameters: Record<string, unknown> = {}): Promise<JobPayload> {
    const response = await this.request(parameters)
    if (response.status !== 201) throw new Error(`${response.status} came instead of a job`)
    return (await response.json()) as JobPayload
  }

  /** The queue version with which the next request is held. */
  async lastUpdate(): Promise<string> {
    const response = await this.request()
    const value = response.headers.get('x-gitlab-last-update')
    if (response.status !== 204 || value === null) throw new Error('There is a job')
    return value
  }

  update(job: { id: number; token: string }, state: string, more: object = {}): Promise<Response> {
    return send(this.url, 'PUT', `/jobs/${job.id}`, {
      token: job.token,
      state,
      info: INFO,
      output: {},
      ...more,
    })
  }

  patch(
    job: { id: number; token: string },
    contentRange: string | undefined,
    body: string | Buffer | Readable,
    isDebug = false,
  ): Promise<Response> {
    return fetch(`${this.url}/jobs/${job.id}/trace?debug_trace=${isDebug}`, {
      method: 'PATCH',
      headers: {
        'job-token': job.token,
        'content-type': 'text/plain',
        ...(contentRange === undefined ? {} : { 'content-range': contentRange }),
      },
      body: body instanceof Readable ? Readable.toWeb(body) : body,
      duplex: 'half',
    })
  }

  /** Waits until the job has another status than `known`. `query`: more parameters. */
  signals(job: { id: number; token: string }, known = 'running', query = ''): Promise<Response> {
    return fetch(`${this.url}/jobs/${job.id}/signals?status=${known}${query}`, {
      headers: { 'job-token': job.token },
    })
  }

  upload(
    job: { id: number; token: string },
    content: Buffer | string,
    { field = 'file', filename = 'artifacts.zip', query = '' } = {},
  ): Promise<Response> {
    const form = new FormData()
    form.append(field, new Blob([content]), filename)
    return fetch(`${this.url}/jobs/${job.id}/artifacts?${query}`, {
      method: 'POST',
      headers: { 'job-token': job.token },
      body: form,
    })
  }

  download(jobId: number, token: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}/jobs/${jobId}/artifacts`, { headers: { 'job-token': token, ...headers } })
  }
}

export function send(
  url: string,
  method: string,
  path: string,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url + path, {
    method,
    ...init,
    headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string> | undefined) },
    body: JSON.stringify(body),
  })
}
