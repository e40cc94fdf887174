import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

import { isLocalAddress } from './address-rules.js'
import { LocalAddressError } from './errors.js'

/**
 * A `lookup` for sockets: resolves a name to its addresses and fails with `LocalAddressError` when one of them is local.
 * The socket connects to an address that was checked, so a second answer of the name server changes nothing. Node does
 * not call `lookup` for a host that is an IP address: check such a host before.
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
