import { GitError } from '../../git/errors.js'
import { isLoopbackHost } from '../../lib/is-loopback-host.js'
import { retry } from '../../lib/retry.js'
import { followRedirects } from './follow-redirects.js'
import type { FetchRequest, HostRepository } from './host-repository.js'
import type { Sources } from './sources.js'

/** About five minutes in total. */
const TRIES = { attempts: 24, delay: 500, maximumDelay: 15_000 }

/**
 * Messages of git and its HTTP library about lost connections, at any point of a response (`interrupted-fetches.test.ts`).
 */
const SERVER_UNAVAILABLE = [
  'failed to connect',
  "couldn't connect",
  'could not resolve host',
  'connection (reset|refused|timed out)',
  '(recv|send) failure',
  'broken pipe',
  'empty reply',
  'transfer closed',
  'rpc failed',
  'hung up',
  'early eof',
  'unexpected disconnect',
  'expected flush after ref listing',
  'expected response end packet',
  "expected 'packfile'",
  'bad pack header',
  'returned error: 5\\d\\d',
]
const IS_REDIRECT = /returned error: 30[12378]/
const IS_UNAVAILABLE = new RegExp(SERVER_UNAVAILABLE.join('|'), 'i')

/**
 * Fetches from a repository, and retries while its server is unavailable, because a restart of the server must not
 * fail the job. Follows a redirect as far as `followRedirects` allows.
 */
export async function fetchWithRetries(
  repository: HostRepository,
  request: FetchRequest,
  sources: Pick<Sources, 'log' | 'signal' | 'address'>,
): Promise<void> {
  const { log, signal } = sources
  const server = new URL(sources.address.url)
  const fetch = async (attempt: number): Promise<void> => {
    if (attempt > 1)
      log.warning(`The server of the repository, ${server.host}, does not respond. Retrying...`)
    if (attempt === 2 && isLoopbackHost(server.hostname)) log.warning(loopbackAdvice(server.origin))
    log.output.write(await fetchOrFollow(repository, request, sources))
  }
  await retry(fetch, { ...TRIES, isWorthRetrying: isServerUnavailable, signal })
}

/** A coordinator without an external URL names its repositories by an address that only its own machine can use. */
function loopbackAdvice(origin: string): string {
  return (
    `${origin} is the machine or the container of this runner. If the coordinator runs elsewhere, ` +
    'set its external URL (external_url), or clone_url of this runner, to an address that the runner reaches.'
  )
}

async function fetchOrFollow(
  repository: HostRepository,
  request: FetchRequest,
  sources: Pick<Sources, 'log' | 'address'>,
): Promise<string> {
  try {
    return await repository.fetch(request)
  } catch (error) {
    if (!(error instanceof GitError) || !IS_REDIRECT.test(error.stderr)) throw error
    const address = await followRedirects(repository, request, sources.address.url)
    sources.log.output.write(`warning: redirecting to ${address.url}\n`)
    return await repository.fetch({ ...request, address })
  }
}

function isServerUnavailable(error: unknown): boolean {
  return error instanceof GitError && IS_UNAVAILABLE.test(error.stderr)
}
