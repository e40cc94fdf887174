import { EnvHttpProxyAgent } from 'undici'

import type { Connections, HttpRequest, HttpResponse, TlsMaterial } from './connections.js'
import { CONNECT_TIMEOUT, KEEP_ALIVE } from './direct-connections.js'

/** Sends requests through the proxies that the environment names. Other hosts are reached directly. */
export class ProxiedConnections implements Connections {
  private readonly agent: EnvHttpProxyAgent

  constructor(tls: TlsMaterial) {
    const connect = { timeout: CONNECT_TIMEOUT, ...tls }
    this.agent = new EnvHttpProxyAgent({ keepAliveTimeout: KEEP_ALIVE, connect, requestTls: connect })
  }

  async request({ method, url, headers, body, signal, ...timeouts }: HttpRequest): Promise<HttpResponse> {
    const answer = await this.agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      ...(signal && { signal }),
      ...timeouts,
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }

  close(): Promise<void> {
    return this.agent.close()
  }

  destroy(): Promise<void> {
    return this.agent.destroy()
  }
}
