import { SwitchyardError } from '../lib/errors.js'

/** An address from a user leads into the network of this server. */
export class LocalAddressError extends SwitchyardError {
  readonly name = 'LocalAddressError'
  readonly code = 'LOCAL_ADDRESS'

  constructor(readonly host: string) {
    super(`${host} is an address of the local network, and requests to it are not allowed`)
  }
}
