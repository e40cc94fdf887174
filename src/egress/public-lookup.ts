import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

import { isLocalAddress } from './address-rules.js'
import { LocalAddressError } from './errors.js'

/**
 * A `lookup` for sockets. Resolves a name and fails with `LocalAddressError` if one of its addresses is local. The
 * socket connects to a checked address, so a later change of the name has no effect. Node.js does not call `lookup`
 * for a host that is an IP address. Check such a host separately.
 */
export function publicLookup(isLocal: (address: string) => boolean = isLocalAddress): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) callback(error, '', 0)
      else if (addresses.some(({ address }) => isLocal(address))) {
        callback(new LocalAddressError(hostname), '', 0)
      } else if (options.all) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}
