import { Writable } from 'node:stream'

import { deferred, type Deferred } from '../../../lib/deferred.js'
import { type LinkedSignal, linkSignals } from '../../../lib/link-signals.js'
import { untilAborted } from '../../../lib/until-aborted.js'
import type { OutputCursor } from '../../executor/output/output-cursor.js'
import {
  type CallName,
  type HelperMessage,
  MAX_DATA_BYTES,
  type RunnerMessage,
  type SignalName,
} from '../protocol/messages.js'
import { DataPacker } from '../protocol/packed-data.js'
import { recallError } from '../protocol/recorded-error.js'
import { SendWindow } from './send-window.js'

type Message<Type extends string> = Extract<RunnerMessage, { type: Type }>
type Send = (message: HelperMessage, body?: Uint8Array) => Promise<void>

/** One request while it is being served. `connection` aborts when the connection has ended. */
export class ServedRequest {
  private readonly controllers = { work: new AbortController(), files: new AbortController() }
  private readonly calls = new Map<number, Deferred<void>>()
  private lastCall = 0
  private readonly window: SendWindow
  private readonly packers = { output: new DataPacker(), artifact: new DataPacker() }
  private readonly links: readonly [LinkedSignal, LinkedSignal]
  readonly signals: Record<SignalName, AbortSignal>

  constructor(
    private readonly id: number,
    private readonly send: Send,
    private readonly connection: AbortSignal,
  ) {
    this.links = [
      linkSignals(connection, this.controllers.work.signal),
      linkSignals(connection, this.controllers.files.signal),
    ]
    this.signals = { work: this.links[0].signal, files: this.links[1].signal }
    this.window = new SendWindow(connection)
  }

  /** Call this when the request has ended. */
  release(): void {
    for (const link of this.links) link.release()
  }

  abort({ signal, error }: Message<'abort'>): void {
    this.controllers[signal].abort(recallError(error))
  }

  acknowledge({ bytes }: Message<'received'>): void {
    this.window.acknowledge(bytes)
  }

  reply({ call, error }: Message<'reply'>): void {
    const waiting = this.calls.get(call)
    this.calls.delete(call)
    if (error) waiting?.reject(recallError(error))
    else waiting?.resolve()
  }

  /** Sends bytes as fast as the runner takes them. `cursor`: where the output after them begins. */
  async sendData(stream: 'output' | 'artifact', bytes: Buffer, cursor?: OutputCursor): Promise<void> {
    for (let at = 0; at < bytes.length; at += MAX_DATA_BYTES) {
      const part = bytes.subarray(at, at + MAX_DATA_BYTES)
      const isLast = at + MAX_DATA_BYTES >= bytes.length
      await this.window.take(part.length)
      const position = isLast && cursor ? { cursor } : {}
      const { body, ...size } = this.packers[stream].pack(part)
      await this.send({ type: 'data', id: this.id, stream, ...size, ...position }, body)
    }
  }

  /** Resolves when the runner has stored everything that was sent. */
  async delivered(): Promise<void> {
    await this.window.empty()
  }

  /** Has the runner do something, and resolves when that is done. Throws its error. */
  async call(name: CallName, argument: unknown): Promise<void> {
    const call = ++this.lastCall
    const waiting = deferred()
    this.calls.set(call, waiting)
    await this.send({ type: 'call', id: this.id, call, name }, Buffer.from(JSON.stringify(argument)))
    await untilAborted(waiting.promise, this.connection)
  }

  /** A stream for `JobLog`. */
  logOutput(): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.sendData('output', chunk).then(() => done(), done)
      },
    })
  }
}
