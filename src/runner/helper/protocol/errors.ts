import { SwitchyardError } from '../../../lib/errors.js'

/** The other side of a connection sent something that is no message of the protocol. */
export class HelperProtocolError extends SwitchyardError {
  readonly name = 'HelperProtocolError'
  readonly code = 'HELPER_PROTOCOL'
}

/** The connection to a helper process ended before it was closed. A request can be repeated on the next connection. */
export class HelperConnectionLostError extends SwitchyardError {
  readonly name = 'HelperConnectionLostError'
  readonly code = 'HELPER_CONNECTION_LOST'
}
