import type { CloneAddress } from './clone-address.js'
import type { FetchRequest, HostRepository } from './host-repository.js'
import { leadsIntoMachine } from './submodules/submodule-address.js'
import { SourcesError } from './workspace.js'

const MAX_REDIRECTS = 5
/** The first request of git, relative to the URL of a repository. */
const FIRST_PATH = '/info/refs'
const FIRST_QUERY = '?service=git-upload-pack'

/**
 * The URL to which the server of a repository redirects a fetch, for example after its project was renamed. Throws
 * `SourcesError` for a redirect that must not be followed. `ownUrl` is the URL of the job's repository.
 */
export async function followRedirects(
  repository: HostRepository,
  { address, userAgent }: Pick<FetchRequest, 'address' | 'userAgent'>,
  ownUrl: string,
): Promise<CloneAddress> {
  let current = address
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const location = await repository.redirectOf(current, userAgent)
    if (location === undefined) return current
    current = redirectedAddress(current, location, ownUrl)
  }
  throw new SourcesError(`${address.url} redirects more than ${MAX_REDIRECTS} times`, undefined)
}

/**
 * Checks a redirect. Credentials are only sent to the origin they belong to. A fetch without credentials may be
 * redirected to another origin, but not to the machine of the runner. Throws `SourcesError`.
 */
export function redirectedAddress(
  { url, credentials }: CloneAddress,
  location: string,
  ownUrl: string,
): CloneAddress {
  const target = targetOf(url, location)
  const shown = target.href
  if (target.origin !== new URL(url).origin) {
    if (Object.keys(credentials).length > 0) {
      throw new SourcesError(
        `${url} redirects to ${shown} on another server, which must not receive its credentials. Use that address instead`,
        undefined,
      )
    }
    if (leadsIntoMachine(target, new URL(ownUrl))) {
      throw new SourcesError(
        `${url} redirects to ${shown}, which is an address of the runner’s machine`,
        undefined,
      )
    }
  }
  return { url: shown, credentials }
}

/** The URL of the repository, without user name and password. */
function targetOf(url: string, location: string): URL {
  const from = `${url.replace(/\/+$/, '')}${FIRST_PATH}${FIRST_QUERY}`
  const target = URL.canParse(location, from) ? new URL(location, from) : undefined
  const isHttp = target?.protocol === 'http:' || target?.protocol === 'https:'
  if (!target || !isHttp || !target.pathname.endsWith(FIRST_PATH) || target.search !== FIRST_QUERY) {
    throw new SourcesError(`${url} redirects to an address that is not a repository`, undefined)
  }
  ;[target.username, target.password, target.search, target.hash] = ['', '', '', '']
  target.pathname = target.pathname.slice(0, -FIRST_PATH.length)
  return target
}
