import type { Duplex } from 'node:stream'

import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'

import { deferred } from '../../../lib/deferred.js'
import { HelperConnectionLostError, HelperProtocolError } from './errors.js'
import { encodeFrame, FrameReader } from './frames.js'

/** Milliseconds between two signs of life. */
const HEARTBEAT = 10_000
/** Heartbeats without a byte from the other side after which the connection is dead. */
const MAX_SILENT_HEARTBEATS = 3

export interface ChannelOptions<Incoming extends TSchema> {
  incoming: Incoming
  maxBodyBytes: number
  /** Called for each message, in order. It must return soon, because it holds up the messages after it. */
  onMessage: (message: Static<Incoming>, body: Buffer) => void
}

/**
 * Messages over a stream of bytes. Reading never stops, so that a sign of life is always noticed: what is received is
 * limited by windows. Silence is counted in heartbeats, not in time, so that a machine that was suspended first reads
 * what has arrived.
 */
export class MessageChannel<Incoming extends TSchema, Outgoing extends object> {
  private readonly reader: FrameReader
  private readonly timer: NodeJS.Timeout
  private readonly ending = deferred<Error | undefined>()
  private hasEnded = false
  private silent = 0

  constructor(
    private readonly stream: Duplex,
    private readonly options: ChannelOptions<Incoming>,
  ) {
    this.reader = new FrameReader(options.maxBodyBytes)
    this.timer = setInterval(() => this.beat(), HEARTBEAT)
    stream.on('data', (chunk: Buffer) => this.read(chunk))
    stream.on('error', (error) => this.end(new HelperConnectionLostError(error.message, { cause: error })))
    stream.on('end', () => this.end(new HelperConnectionLostError('The connection was closed')))
    stream.on('close', () => this.end(new HelperConnectionLostError('The connection was closed')))
  }

  /** Resolves with the reason when the connection has ended. Undefined if this side closed it. */
  get ended(): Promise<Error | undefined> {
    return this.ending.promise
  }

  /** Resolves when more can be sent. After the end, does nothing. */
  async send(message: Outgoing & { type: string }, body?: Uint8Array): Promise<void> {
    if (this.hasEnded || this.stream.write(encodeFrame(message, body))) return
    const drained = deferred()
    this.stream.once('drain', drained.resolve)
    await Promise.race([drained.promise, this.ending.promise])
    this.stream.off('drain', drained.resolve)
  }

  /** Sends what was written, then closes the connection. */
  async close(): Promise<void> {
    if (this.hasEnded) return
    const written = deferred()
    this.stream.end(written.resolve)
    await Promise.race([written.promise, this.ending.promise])
    this.end(undefined)
  }

  /** Ends the connection at once. */
  destroy(error: Error): void {
    this.end(error)
  }

  private read(chunk: Buffer): void {
    this.silent = 0
    try {
      for (const { head, body } of this.reader.push(chunk)) {
        if (this.hasEnded) return
        if (!Check(this.options.incoming, head))
          throw new HelperProtocolError('A message has an unknown format')
        this.options.onMessage(head, body)
      }
    } catch (error) {
      this.end(error instanceof Error ? error : new HelperProtocolError(String(error)))
    }
  }

  private beat(): void {
    this.silent++
    if (this.silent >= MAX_SILENT_HEARTBEATS) {
      this.end(new HelperConnectionLostError('The other side has been silent for too long'))
    } else if (!this.stream.writableNeedDrain) {
      this.stream.write(encodeFrame({ type: 'ping' }))
    }
  }

  private end(error: Error | undefined): void {
    if (this.hasEnded) return
    this.hasEnded = true
    clearInterval(this.timer)
    this.ending.resolve(error)
    this.stream.destroy()
  }
}
