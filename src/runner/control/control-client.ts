import { createInterface } from 'node:readline'

import { Client } from 'undici'

import { ControlAnswerError, NoDaemonError } from './errors.js'
import type { DrainMessage, ErrorMessage, JobsMessage, PauseRequest, StatusMessage } from './messages.js'

/** Speaks to a running daemon. Throws `NoDaemonError` when none answers, `ControlAnswerError` when it says no. */
export class ControlClient {
  private readonly client: Client

  constructor(private readonly socket: string) {
    // A drain is silent for as long as its jobs run.
    this.client = new Client('http://localhost', { socketPath: socket, headersTimeout: 0, bodyTimeout: 0 })
  }

  async status(): Promise<StatusMessage> {
    return (await this.call('GET', '/status')).json() as Promise<StatusMessage>
  }

  async jobs(): Promise<JobsMessage> {
    return (await this.call('GET', '/jobs')).json() as Promise<JobsMessage>
  }

  async pause(request: PauseRequest): Promise<StatusMessage> {
    return (await this.call('POST', '/pause', request)).json() as Promise<StatusMessage>
  }

  async resume(request: PauseRequest): Promise<StatusMessage> {
    return (await this.call('POST', '/resume', request)).json() as Promise<StatusMessage>
  }

  /** The messages of the daemon until it has stopped; leaving early does not take the request back. */
  async *drain(): AsyncGenerator<DrainMessage> {
    const body = await this.call('POST', '/drain')
    for await (const line of createInterface({ input: body })) yield JSON.parse(line) as DrainMessage
  }

  async close(): Promise<void> {
    await this.client.destroy()
  }

  private async call(method: 'GET' | 'POST', path: string, request?: object) {
    const { statusCode, body } = await this.send(method, path, request)
    if (statusCode === 200) return body
    const { error } = (await body.json()) as ErrorMessage
    throw new ControlAnswerError(error)
  }

  private async send(method: 'GET' | 'POST', path: string, request?: object) {
    try {
      return await this.client.request({
        method,
        path,
        headers: { 'content-type': 'application/json' },
        body: request === undefined ? null : JSON.stringify(request),
      })
    } catch (error) {
      throw new NoDaemonError(this.socket, { cause: error })
    }
  }
}
