import type { Duplex } from 'node:stream'

import { deferred, type Deferred } from '../../../lib/deferred.js'
import { untilAborted } from '../../../lib/until-aborted.js'
import { ExecutorError } from '../../executor/executor.js'
import type { OutputCursor } from '../../executor/output/output-cursor.js'
import { HelperConnectionLostError, HelperProtocolError } from '../protocol/errors.js'
import { MessageChannel } from '../protocol/message-channel.js'
import {
  type CallName,
  HelperMessage,
  MAX_HELPER_BODY_BYTES,
  type RunnerMessage,
  type SignalName,
  WINDOW_BYTES,
} from '../protocol/messages.js'
import { unpackData } from '../protocol/packed-data.js'
import { recallError, recordError } from '../protocol/recorded-error.js'

/** Milliseconds for the first message of the helper process. */
const GREETING_LIMIT = 60_000
/** Bytes that are acknowledged together, if more are waiting: each message to the helper wakes several processes. */
const ACKNOWLEDGED_BYTES = WINDOW_BYTES / 4

/** Receives what comes before the result of a request, one item after the other. */
export interface RequestReceiver {
  /** Resolves when more can be taken. */
  data?: (bytes: Buffer, stream: 'output' | 'artifact', cursor: OutputCursor | undefined) => Promise<void>
  /** Does what the helper asks for. An error is thrown there. */
  call?: (name: CallName, argument: unknown) => Promise<void>
}

interface PendingRequest {
  receiver: RequestReceiver
  outcome: Deferred<Buffer>
  /** What has arrived is processed in this order. */
  queue: Promise<void>
  /** Bytes that wait for the receiver. */
  held: number
  /** Bytes that the receiver has taken, and that are not acknowledged yet. */
  taken: number
}

export interface OpenRequest {
  /** JSON of the result. Rejects with `HelperConnectionLostError` if the request has to be made again. */
  result: Promise<Buffer>
  abort(signal: SignalName, reason: unknown): void
}

/** One connection to a helper process. */
export class HelperConnection {
  private readonly channel: MessageChannel<typeof HelperMessage, RunnerMessage>
  private readonly requests = new Map<number, PendingRequest>()
  private readonly greeting = deferred<string>()
  private lastId = 0
  private lost: Error | undefined

  private constructor(stream: Duplex) {
    this.channel = new MessageChannel<typeof HelperMessage, RunnerMessage>(stream, {
      incoming: HelperMessage,
      maxBodyBytes: MAX_HELPER_BODY_BYTES,
      onMessage: (message, body) => this.receive(message, body),
    })
    void this.channel.ended.then((reason) => this.lose(reason))
  }

  /**
   * Throws an `ExecutorError` if the helper process is another program, and `HelperConnectionLostError` if the connection ends
   * before it can be used.
   */
  static async open(stream: Duplex, version: string): Promise<HelperConnection> {
    const connection = new HelperConnection(stream)
    try {
      await connection.greet(version)
      return connection
    } catch (error) {
      connection.channel.destroy(new HelperConnectionLostError('The connection was closed'))
      throw error
    }
  }

  get isLost(): boolean {
    return this.lost !== undefined
  }

  request(method: string, params: object, receiver: RequestReceiver): OpenRequest {
    const id = ++this.lastId
    const outcome = deferred<Buffer>()
    if (this.lost) outcome.reject(this.lost)
    this.requests.set(id, { receiver, outcome, queue: Promise.resolve(), held: 0, taken: 0 })
    void this.channel.send({ type: 'request', id, method }, Buffer.from(JSON.stringify(params)))
    return {
      result: outcome.promise,
      abort: (signal, reason) =>
        void this.channel.send({ type: 'abort', id, signal, error: recordError(reason) }),
    }
  }

  async close(): Promise<void> {
    await this.channel.close()
  }

  private async greet(version: string): Promise<void> {
    await this.channel.send({ type: 'hello', version })
    const limit = AbortSignal.timeout(GREETING_LIMIT)
    const theirs = await untilAborted(this.greeting.promise, limit).catch((error: unknown) => {
      if (!limit.aborted) throw error
      throw new HelperConnectionLostError('The helper process did not respond')
    })
    if (theirs === version) return
    throw new ExecutorError(
      `The helper image contains version ${theirs} of this program, and the runner is version ${version}. ` +
        'Set helper_image to an image of the version of the runner, or remove the setting.',
      'runner_configuration_error',
    )
  }

  private receive(message: HelperMessage, body: Buffer): void {
    if (message.type === 'ping') return
    if (message.type === 'hello') return this.greeting.resolve(message.version)
    const request = this.requests.get(message.id)
    if (!request) return
    switch (message.type) {
      case 'data':
        request.held += message.size ?? body.length
        if (request.held + request.taken > WINDOW_BYTES)
          throw new HelperProtocolError('The helper sends more than it may')
        return this.enqueueData(message, request, unpackData(body, message.size))
      case 'call':
        return this.enqueue(request, () => this.serveCall(message, request, body))
      case 'result':
        this.requests.delete(message.id)
        return this.enqueue(request, async () => request.outcome.resolve(body))
      case 'failure':
        this.requests.delete(message.id)
        return this.enqueue(request, async () => request.outcome.reject(recallError(message.error)))
    }
  }

  /** An error of the receiver ends the request. */
  private enqueue(request: PendingRequest, work: () => Promise<void>): void {
    request.queue = request.queue.then(work).catch((error: unknown) => request.outcome.reject(error))
  }

  private enqueueData(
    { id, stream, cursor }: Extract<HelperMessage, { type: 'data' }>,
    request: PendingRequest,
    bytes: Buffer,
  ): void {
    this.enqueue(request, async () => {
      await request.receiver.data?.(bytes, stream, cursor)
      request.held -= bytes.length
      request.taken += bytes.length
      // When nothing more is here, the helper may be waiting for this.
      if (request.held > 0 && request.taken < ACKNOWLEDGED_BYTES) return
      const { taken } = request
      request.taken = 0
      void this.channel.send({ type: 'received', id, bytes: taken })
    })
  }

  private async serveCall(
    { id, call, name }: Extract<HelperMessage, { type: 'call' }>,
    request: PendingRequest,
    body: Buffer,
  ): Promise<void> {
    try {
      await request.receiver.call?.(name, JSON.parse(body.toString()))
      void this.channel.send({ type: 'reply', id, call })
    } catch (error) {
      void this.channel.send({ type: 'reply', id, call, error: recordError(error) })
    }
  }

  /** What has arrived counts: it is processed before a request fails. */
  private lose(reason: Error | undefined): void {
    this.lost = lostError(reason)
    const { lost } = this
    this.greeting.reject(reason instanceof HelperProtocolError ? notStarted(reason) : lost)
    this.greeting.promise.catch(() => {})
    for (const request of this.requests.values()) {
      request.outcome.promise.catch(() => {})
      this.enqueue(request, async () => request.outcome.reject(lost))
    }
    this.requests.clear()
  }
}

function lostError(reason: Error | undefined): HelperConnectionLostError {
  if (reason instanceof HelperConnectionLostError) return reason
  return new HelperConnectionLostError(reason?.message ?? 'The connection was closed', { cause: reason })
}

/** Such as the message of a container that does not have the program. */
function notStarted(reason: HelperProtocolError): ExecutorError {
  const message = `The helper process of the job cannot be started (helper_image). ${reason.message}`
  return new ExecutorError(message, 'runner_configuration_error', { cause: reason })
}
