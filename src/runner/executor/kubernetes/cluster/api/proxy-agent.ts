import { type ClientRequestArgs, request as requestHttp } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect, type ConnectionOptions } from 'node:tls'
import { callbackify } from 'node:util'

import { messageOf } from '../../../../../lib/errors.js'
import { SECOND } from '../../../../../lib/time-units.js'

const OK = 200
const TIMEOUT = 30 * SECOND

type Callback = (error: Error | null, socket: Duplex) => void

/** Reaches HTTPS servers through a proxy, which only sees their names. */
export class ProxyAgent extends Agent {
  constructor(private readonly proxy: URL) {
    super()
  }

  override createConnection(options: ClientRequestArgs & ConnectionOptions, callback?: Callback): undefined {
    const open = callbackify(async () => {
      const socket = await this.openTunnel(options)
      return connect({ ...options, socket, ...serverName(options) })
    })
    open((error, socket) => callback?.(error, socket))
  }

  private async openTunnel({ host, port }: ClientRequestArgs): Promise<Duplex> {
    const { username, password, origin, protocol } = this.proxy
    const target = `${host?.includes(':') ? `[${host}]` : host}:${port}`
    const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
    const headers = {
      host: target,
      ...(username !== '' && { 'proxy-authorization': `Basic ${pair.toString('base64')}` }),
    }
    const send = protocol === 'https:' ? requestHttps : requestHttp
    return await new Promise((resolve, reject) => {
      const request = send(origin, {
        method: 'CONNECT',
        path: target,
        headers,
        agent: false,
        timeout: TIMEOUT,
      })
      const fail = (why: string, cause?: unknown) =>
        reject(new Error(`the proxy ${origin}: ${why}`, { cause }))
      request.once('connect', ({ statusCode, statusMessage }, socket) => {
        if (statusCode === OK) resolve(socket)
        else {
          socket.destroy()
          fail(`refused the connection (${statusCode} ${statusMessage})`)
        }
      })
      request.once('timeout', () => request.destroy(new Error('it did not respond in time')))
      request.once('error', (error) => fail(messageOf(error), error))
      request.end()
    })
  }
}

/** What the certificate of the server must be for, unless it is an address. */
function serverName({ servername, host }: ConnectionOptions & ClientRequestArgs): ConnectionOptions {
  if (servername) return { servername }
  return host && isIP(host) === 0 ? { servername: host } : {}
}
