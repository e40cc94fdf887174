import { EnvHttpProxyAgent } from 'undici'

import { environmentProxy } from '../../lib/environment-proxy.js'
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
    const response = await this.agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      ...(signal && { signal }),
      ...timeouts,
    })
    return { status: response.statusCode, headers: response.headers, body: response.body }
  }

  proxyOf(url: URL): string | undefined {
    return proxyFor(url, process.env)
  }

  close(): Promise<void> {
    return this.agent.close()
  }

  destroy(): Promise<void> {
    return this.agent.destroy()
  }
}

/** The proxy that `EnvHttpProxyAgent` takes for a URL, by the same variables. Without its user and password. */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): string | undefined {
  const proxy = environmentProxy(url, environment)
  return proxy && `${proxy.protocol}//${proxy.host}`
}
