import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { deferred } from '../../../../src/lib/deferred.js'
import { onFinished } from '../../../support/lifetime.js'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  text: string
  /** Empty if the text is not JSON. */
  body: Record<string, unknown>
}

/** A loopback server as target of hooks, and the requests it received. */
export class HookReceiver {
  readonly received: Received[] = []
  /** How it responds; 200 unless a test says otherwise. */
  respond: (response: ServerResponse, received: Received) => void = (response) => response.end('thanks')
  private news = deferred()

  private constructor(readonly url: string) {}

  static async start(): Promise<HookReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const received: Received = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          text,
          body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
        }
        receiver.take(received)
        receiver.respond(response, received)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const receiver = new HookReceiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onFinished(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return receiver
  }

  /** Resolves once there are so many for which `isMeant` holds; returns these. */
  async until(count: number, isMeant: (received: Received) => boolean = () => true): Promise<Received[]> {
    for (;;) {
      const meant = this.received.filter(isMeant)
      if (meant.length >= count) return meant
      await this.news.promise
    }
  }

  private take(received: Received): void {
    this.received.push(received)
    const before = this.news
    this.news = deferred()
    before.resolve()
  }
}
