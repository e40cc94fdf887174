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

/** The proxy that `EnvHttpProxyAgent` takes for a URL, by the same variables. */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): string | undefined {
  const read = (name: string) => environment[name] ?? environment[name.toUpperCase()]
  const plain = read('http_proxy')
  const proxy = url.protocol === 'https:' ? (read('https_proxy') ?? plain) : plain
  if (!proxy || !URL.canParse(proxy) || isExempt(url, read('no_proxy') ?? '')) return undefined
  const { protocol, host } = new URL(proxy)
  return `${protocol}//${host}`
}

function isExempt({ hostname, port, protocol }: URL, exemptions: string): boolean {
  const usedPort = port || (protocol === 'https:' ? '443' : '80')
  return exemptions.split(/[,\s]+/).some((entry) => {
    const [, name = '', only] = /^\*?\.?([^:]+)(?::(\d+))?$/.exec(entry) ?? []
    if (entry === '*') return true
    if (name === '' || (only !== undefined && only !== usedPort)) return false
    return hostname === name || hostname.endsWith(`.${name}`)
  })
}
