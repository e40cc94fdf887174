import { createInterface } from 'node:readline'

import { readAtMost } from '../../lib/read-at-most.js'
import { DirectConnections } from '../client/direct-connections.js'
import { ControlResponseError, NoDaemonError } from './errors.js'
import type {
  DrainMessage,
  ErrorMessage,
  HoldRequest,
  HoldsMessage,
  JobsMessage,
  PauseRequest,
  StatusMessage,
} from './messages.js'

/** Maximum size of one response. It has one line for each running job. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

/**
 * Sends commands to a running daemon. Throws `NoDaemonError` if none responds, and `ControlResponseError` if it
 * refuses.
 */
export class ControlClient {
  private readonly connections: DirectConnections

  constructor(private readonly socket: string) {
    this.connections = new DirectConnections({ socketPath: socket })
  }

  async status(): Promise<StatusMessage> {
    return (await parsed(await this.call('GET', '/status'))) as StatusMessage
  }

  async jobs(): Promise<JobsMessage> {
    return (await parsed(await this.call('GET', '/jobs'))) as JobsMessage
  }

  async holds(): Promise<HoldsMessage> {
    return (await parsed(await this.call('GET', '/holds'))) as HoldsMessage
  }

  async endHold(request: HoldRequest): Promise<HoldsMessage> {
    return (await parsed(await this.call('POST', '/holds/end', request))) as HoldsMessage
  }

  async extendHold(request: HoldRequest): Promise<HoldsMessage> {
    return (await parsed(await this.call('POST', '/holds/extend', request))) as HoldsMessage
  }

  async pause(request: PauseRequest): Promise<StatusMessage> {
    return (await parsed(await this.call('POST', '/pause', request))) as StatusMessage
  }

  async resume(request: PauseRequest): Promise<StatusMessage> {
    return (await parsed(await this.call('POST', '/resume', request))) as StatusMessage
  }

  /**
   * Yields the messages of the daemon until it has stopped. The drain continues even if the caller stops reading.
   */
  async *drain(): AsyncGenerator<DrainMessage> {
    const body = await this.call('POST', '/drain')
    for await (const line of createInterface({ input: body })) yield JSON.parse(line) as DrainMessage
  }

  async close(): Promise<void> {
    await this.connections.destroy()
  }

  private async call(method: 'GET' | 'POST', path: string, request?: object) {
    const { status, body } = await this.send(method, path, request)
    if (status === 200) return body
    const { error } = (await parsed(body)) as ErrorMessage
    throw new ControlResponseError(error)
  }

  private async send(method: 'GET' | 'POST', path: string, request?: object) {
    try {
      return await this.connections.request({
        method,
        url: new URL(path, 'http://localhost'),
        headers: { 'content-type': 'application/json' },
        body: request && JSON.stringify(request),
        // The response to a drain is silent while jobs run.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
    } catch (error) {
      throw new NoDaemonError(this.socket, { cause: error })
    }
  }
}

async function parsed(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  return JSON.parse((await readAtMost(body, MAX_RESPONSE_BYTES)).toString('utf8'))
}
