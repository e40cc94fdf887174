import type { EgressRules } from '../../../egress/egress-rules.js'
import { LocalAddressError } from '../../../egress/errors.js'
import { messageOf } from '../../../lib/errors.js'
import type { CloneAddress } from '../clone-address.js'
import { SourcesError } from '../workspace.js'
import { followCheckedRedirects } from './checked-redirects.js'

/**
 * Resolves the address of a submodule on a server other than the coordinator's. Follows redirects. The result contains
 * the IP address that git must connect to, which the rules allow. (Git before 2.37 ignores that setting and resolves the
 * name again.) Throws `SourcesError` with the name of the submodule.
 */
export async function checkedAddress(
  name: string,
  address: CloneAddress,
  egress: EgressRules,
  signal: AbortSignal,
): Promise<CloneAddress> {
  try {
    const url = await followCheckedRedirects(address.url, authorizationOf(address), egress, signal)
    const { hostname, port, protocol } = new URL(url)
    const ip = await egress.addressOf(hostname)
    const pin = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}:${ip.includes(':') ? `[${ip}]` : ip}`
    return { url, credentials: { ...address.credentials, 'http.curloptResolve': pin } }
  } catch (error) {
    signal.throwIfAborted()
    const reason =
      error instanceof LocalAddressError
        ? `${error.message} (allowed_local_hosts in the settings of the runner)`
        : messageOf(error)
    throw new SourcesError(`The submodule "${name}" is not fetched: ${reason}`, undefined, { cause: error })
  }
}

/** The authorization in the URL of `.gitmodules`, if any. */
function authorizationOf({ url, credentials }: CloneAddress): string | undefined {
  return credentials[`http.${new URL(url).origin}/.extraHeader`]?.replace(/^Authorization: /, '')
}
