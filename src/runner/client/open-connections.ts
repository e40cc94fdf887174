import type { Connections, TlsMaterial } from './connections.js'
import { DirectConnections } from './direct-connections.js'

const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']

/** Connections to any host, through the proxies that the environment names. */
export function openConnections(
  tls: TlsMaterial,
  environment: NodeJS.ProcessEnv = process.env,
): Connections | Promise<Connections> {
  return PROXY_VARIABLES.some((name) => environment[name])
    ? import('./proxied-connections.js').then(({ ProxiedConnections }) => new ProxiedConnections(tls))
    : new DirectConnections({ tls })
}
