import type { Agent } from 'undici'

import type { EgressRules } from '../../../egress/egress-rules.js'
import { LocalAddressError } from '../../../egress/errors.js'
import { USER_AGENT } from '../../client/runner-info.js'

const MAX_REDIRECTS = 5
const TIMEOUT = 30_000
const SUFFIX = '/info/refs?service=git-upload-pack'

/**
 * Follows the redirects of git's first request to a repository on another server. The rules check each target
 * before a connection is made. Git itself follows no redirects, because it would connect to any host.
 * `authorization` is sent only to the origin of `url`. Throws `LocalAddressError`. If a server cannot be reached,
 * git itself reports the error.
 */
export async function followCheckedRedirects(
  url: string,
  authorization: string | undefined,
  egress: EgressRules,
  signal: AbortSignal,
): Promise<string> {
  // Loaded on demand, because few jobs need it and it takes much memory.
  const { Agent } = await import('undici')
  const agent = new Agent({ connect: { lookup: egress.lookup }, headersTimeout: TIMEOUT })
  const { origin } = new URL(url)
  let current = url
  try {
    for (let left = MAX_REDIRECTS; left > 0; left--) {
      const isOrigin = new URL(current).origin === origin
      const target = await redirectOf(current, isOrigin ? authorization : undefined, {
        egress,
        agent,
        signal,
      })
      if (target === undefined) return current
      current = target
    }
    return current
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof LocalAddressError) throw error
    return current
  } finally {
    await agent.destroy()
  }
}

/** Undefined if the server does not redirect this address. */
async function redirectOf(
  url: string,
  authorization: string | undefined,
  { egress, agent, signal }: { egress: EgressRules; agent: Agent; signal: AbortSignal },
): Promise<string | undefined> {
  egress.checkHost(new URL(url).hostname)
  const { origin, pathname, search } = new URL(`${url.replace(/\/+$/, '')}${SUFFIX}`)
  const { statusCode, headers, body } = await agent.request({
    origin,
    path: pathname + search,
    method: 'GET',
    signal,
    headers: { 'user-agent': USER_AGENT, ...(authorization && { authorization }) },
  })
  body.on('error', () => undefined).destroy()
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(statusCode) || typeof location !== 'string') return undefined
  const target = URL.canParse(location, url) ? new URL(location, url).href : ''
  return /^https?:/.test(target) && target.endsWith(SUFFIX) ? target.slice(0, -SUFFIX.length) : undefined
}
