import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

import type { LiveEventName, LiveMessages } from '../../../src/coordinator/live/messages.js'
import { onFinished } from '../../support/lifetime.js'
import type { Person } from './test-app.js'

export interface ReceivedEvent<Name extends LiveEventName = LiveEventName> {
  name: Name
  id: string
  data: LiveMessages[Name]
  /** In milliseconds since 1970. */
  at: number
}

export interface LiveOptions {
  as?: Person
  /** Instead of `as`. */
  headers?: Record<string, string>
  topics: string
  cursor?: string
  lastEventId?: string
}

/** Reads a live stream from its socket, as a browser does. */
export class LiveClient {
  readonly events: ReceivedEvent[] = []
  comments = 0
  hasEnded = false
  private text = ''
  private taken = 0
  private readonly waiting = new Set<() => void>()

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => this.receive(chunk))
    response.once('close', () => {
      this.hasEnded = true
      this.notify()
    })
  }

  /** Connects, and throws if the response is no stream. The connection is closed when the test has finished. */
  static async open(
    { url }: { url: string },
    { as, headers: others, topics, cursor, lastEventId }: LiveOptions,
  ): Promise<LiveClient> {
    const query = new URLSearchParams({ topics, ...(cursor === undefined ? {} : { cursor }) })
    const headers = {
      ...others,
      ...(as && { 'private-token': as.token }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = get(`${url}/live?${query.toString()}`, { agent: false, headers }, resolve)
      request.once('error', reject)
    })
    onFinished(() => response.destroy())
    if (response.statusCode !== 200) throw new Error(`The stream got ${response.statusCode}`)
    return new LiveClient(response)
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers
  }

  get lastId(): string {
    return this.events.at(-1)?.id ?? ''
  }

  /** The next event, after those that were taken, with this name that fulfils the condition. */
  async next<Name extends LiveEventName>(
    name: Name,
    fits: (data: LiveMessages[Name]) => boolean = () => true,
  ): Promise<ReceivedEvent<Name>> {
    for (;;) {
      const event = this.events[this.taken]
      if (!event) {
        if (this.hasEnded) throw new Error(`The stream ended without ${name}`)
        await this.change()
        continue
      }
      this.taken++
      if (isNamed(event, name) && fits(event.data)) return event
    }
  }

  async until(fits: () => boolean): Promise<void> {
    while (!fits()) {
      if (this.hasEnded) throw new Error('The stream has ended')
      await this.change()
    }
  }

  async end(): Promise<void> {
    while (!this.hasEnded) await this.change()
  }

  /** Reads nothing, until `resume`. */
  pause(): void {
    this.response.pause()
  }

  resume(): void {
    this.response.resume()
  }

  close(): void {
    this.response.destroy()
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.add(resolve))
  }

  private notify(): void {
    for (const resolve of this.waiting) resolve()
    this.waiting.clear()
  }

  private receive(chunk: string): void {
    const parts = (this.text + chunk).split('\n\n')
    this.text = parts.pop() ?? ''
    for (const part of parts) this.take(part)
    this.notify()
  }

  private take(part: string): void {
    if (part.startsWith(':')) {
      this.comments++
      return
    }
    const fields = new Map(
      part.split('\n').map((line): [string, string] => {
        const colon = line.indexOf(': ')
        return [line.slice(0, colon), line.slice(colon + 2)]
      }),
    )
    const data = JSON.parse(fields.get('data') ?? 'null') as LiveMessages[LiveEventName]
    const name = fields.get('event') as LiveEventName
    this.events.push({ name, id: fields.get('id') ?? '', data, at: Date.now() })
  }
}

function isNamed<Name extends LiveEventName>(event: ReceivedEvent, name: Name): event is ReceivedEvent<Name> {
  return event.name === name
}
