import { lookup as lookupAll } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'

import { Agent, type Dispatcher, request } from 'undici'

import { isLocalAddress } from '../../egress/address-rules.js'
import type { EgressRules } from '../../egress/egress-rules.js'
import { LocalAddressError } from '../../egress/errors.js'
import { publicLookup } from '../../egress/public-lookup.js'
import { ResponseError } from './errors.js'

export interface EgressSettings {
  /**
   * Whether requests to addresses of this machine and its local network are allowed, for instances whose
   * users are trusted.
   */
  readonly allowLocalNetwork: boolean
  /** Hosts of that network to which requests are allowed nevertheless. */
  readonly allowed?: EgressRules
}

/** Options of a socket that connects to a checked address. */
export interface CheckedLookup {
  lookup: LookupFunction
  autoSelectFamily: boolean
}

export interface EgressRequest {
  url: string
  method?: Dispatcher.HttpMethod
  headers?: Record<string, string>
  body?: string | Buffer
  /** Milliseconds for each of: connecting, receiving the response header, idle time within the body. */
  timeout: number
  /** Maximum bytes of the response body; a longer one is an error or is truncated. */
  maxBytes: number
  whenLonger?: 'fail' | 'cut'
  /** Maximum number of redirects to follow; 0 = return the redirect. */
  redirects?: number
  /** Whether any certificate will do. */
  acceptsAnyCertificate?: boolean
  signal?: AbortSignal
}

export interface EgressResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/**
 * Sends requests to URLs that users configure: remote includes, webhooks. Resolves the host first, checks
 * every address, and connects to one of the checked addresses. A redirect is checked like a new request
 * (architecture, "Coordinator").
 */
export class EgressClient {
  private readonly agent: Agent
  /** For requests without certificate verification. */
  private readonly insecureAgent: Agent
  private readonly checkedLookup: CheckedLookup = {
    lookup: (hostname, options, callback) =>
      publicLookup((address) => this.refusesAddressOf(hostname, address))(hostname, options, callback),
    // Otherwise Node tries both address families itself and ignores the order of the lookup.
    autoSelectFamily: true,
  }

  /** `isLocal` detects addresses that users may not reach. The settings are read for each request. */
  constructor(
    private readonly settings: EgressSettings,
    private readonly isLocal: (address: string) => boolean = isLocalAddress,
  ) {
    const connect = { ...this.checkedLookup }
    this.agent = new Agent({ connect })
    this.insecureAgent = new Agent({ connect: { ...connect, rejectUnauthorized: false } })
  }

  /** Throws `LocalAddressError`, `ResponseError`, or errors of undici if there is no response. */
  async send(wanted: EgressRequest): Promise<EgressResponse> {
    let url = new URL(wanted.url)
    for (let left = wanted.redirects ?? 0; ; left--) {
      const response = await this.sendOnce(url, wanted)
      const target = left > 0 ? redirectTarget(response, url) : undefined
      if (!target) return response
      url = target
    }
  }

  /** Whether the address is currently known to be local; false for a name that does not resolve. */
  async isRefused(url: URL): Promise<boolean> {
    if (this.settings.allowLocalNetwork) return false
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return (await addressesOf(host)).some((address) => this.refusesAddressOf(host, address))
  }

  /** Whether requests to an IP address, or to `localhost`, are refused. */
  refuses(host: string): boolean {
    return this.refusesAddressOf(host, isIP(host) === 0 ? '127.0.0.1' : host)
  }

  private refusesAddressOf(host: string, address: string): boolean {
    const { allowLocalNetwork, allowed } = this.settings
    if (allowLocalNetwork || !this.isLocal(address)) return false
    return !allowed?.isAllowedName(host) && !allowed?.isAllowedAddress(address)
  }

  /**
   * An address of the host to which another program may connect. Throws `LocalAddressError`, `ResponseError`.
   */
  async addressOf({ hostname }: URL): Promise<string> {
    const host = hostname.replace(/^\[|\]$/g, '')
    const addresses = await addressesOf(host)
    const [first] = addresses
    if (first === undefined) throw new ResponseError(`The host ${hostname} is not known`)
    if (addresses.some((address) => this.refusesAddressOf(host, address)))
      throw new LocalAddressError(hostname)
    return first
  }

  /**
   * Options for a socket to the host. It fails with `LocalAddressError` if the host resolves to a refused address. Throws
   * that for a host that is one.
   */
  connectionTo({ hostname }: URL): CheckedLookup {
    this.checkAddress(hostname)
    return this.checkedLookup
  }

  async close(): Promise<void> {
    await Promise.all([this.agent.close(), this.insecureAgent.close()])
  }

  private async sendOnce(url: URL, wanted: EgressRequest): Promise<EgressResponse> {
    this.check(url)
    const { statusCode, headers, body } = await request(url, {
      dispatcher: wanted.acceptsAnyCertificate ? this.insecureAgent : this.agent,
      method: wanted.method ?? 'GET',
      headersTimeout: wanted.timeout,
      bodyTimeout: wanted.timeout,
      ...(wanted.headers && { headers: wanted.headers }),
      ...(wanted.body !== undefined && { body: wanted.body }),
      ...(wanted.signal && { signal: wanted.signal }),
    })
    return { status: statusCode, headers, body: await readAll(body, wanted) }
  }

  private check({ protocol, hostname }: URL): void {
    if (protocol !== 'http:' && protocol !== 'https:') throw new ResponseError(`${protocol} is not HTTP`)
    this.checkAddress(hostname)
  }

  /** A host that is an address is not resolved, so it is checked here. */
  private checkAddress(hostname: string): void {
    const address = hostname.replace(/^\[|\]$/g, '')
    if (isIP(address) !== 0 && this.refuses(address)) throw new LocalAddressError(hostname)
  }
}

/** Only for requests that may be repeated. */
function redirectTarget({ status, headers }: EgressResponse, from: URL): URL | undefined {
  const location = headers['location']
  if (![301, 302, 303, 307, 308].includes(status) || typeof location !== 'string') return undefined
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  try {
    return (await lookupAll(host, { all: true })).map(({ address }) => address)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

async function readAll(
  body: Dispatcher.ResponseData['body'],
  { maxBytes, whenLonger }: Pick<EgressRequest, 'maxBytes' | 'whenLonger'>,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else if (whenLonger === 'cut') {
      chunks.push(chunk.subarray(0, chunk.length - (size - maxBytes)))
      break
    } else throw new ResponseError(`the response is larger than ${maxBytes} bytes`)
  }
  return Buffer.concat(chunks)
}
