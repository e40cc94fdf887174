import { isIP } from 'node:net'

import { LocalAddressError } from '../../egress/errors.js'
import { runGit } from '../../git/run-git.js'
import { RemoteRepositoryError } from './errors.js'

/** The arguments with which git accesses a remote repository. */
export interface PinnedRemote {
  /** Without user name and password. */
  url: string
  /** Git settings, including the checked IP address. */
  settings: Record<string, string>
}

/**
 * The problem of a repository URL, if any: it is not HTTP, or it obviously points into the local network of
 * the server. Names are resolved when the URL is used.
 */
export function problemOfRemote(address: string, isRefused: (host: string) => boolean): string | undefined {
  if (!URL.canParse(address)) return 'must be a valid URL'
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') {
    return 'is blocked: Only allowed schemes are http, https'
  }
  const host = hostname.replace(/^\[|\]$/g, '')
  if (/^localhost\.?$/i.test(host) && isRefused(host)) {
    return 'is blocked: Requests to localhost are not allowed'
  }
  return isIP(host) !== 0 && isRefused(host)
    ? 'is blocked: Requests to the local network are not allowed'
    : undefined
}

/**
 * Resolves and checks the address that git connects to, and disables redirects. Throws
 * `RemoteRepositoryError`.
 */
export async function pinnedRemote(
  address: string,
  addressOf: (url: URL) => Promise<string>,
): Promise<PinnedRemote> {
  const url = new URL(address)
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  ;[url.username, url.password] = ['', '']
  await checkGit()
  const ip = await lookUp(addressOf, url)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return {
    url: url.href,
    settings: {
      'http.curloptResolve': `${url.hostname}:${port}:${ip.includes(':') ? `[${ip}]` : ip}`,
      'http.proxy': '',
      'http.lowSpeedLimit': '1',
      'http.lowSpeedTime': '120',
      ...(credentials === ':'
        ? {}
        : { 'http.extraHeader': `Authorization: Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
  }
}

async function lookUp(addressOf: (url: URL) => Promise<string>, url: URL): Promise<string> {
  try {
    return await addressOf(url)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const reason =
      error instanceof LocalAddressError ? error.message : `${url.hostname} could not be resolved`
    throw new RemoteRepositoryError(reason, { cause: error })
  }
}

/** Older versions ignore the checked address and resolve the name again. */
async function checkGit(): Promise<void> {
  const [major = 0, minor = 0] = (await runGit(['version'])).match(/\d+/g)?.map(Number) ?? []
  if (major > 2 || (major === 2 && minor >= 37)) return
  throw new RemoteRepositoryError('Remote repositories need git 2.37 or newer on the server')
}
