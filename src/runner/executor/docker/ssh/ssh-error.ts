import { SwitchyardError } from '../../../../lib/errors.js'

/** The engine cannot be reached by ssh. */
export class SshError extends SwitchyardError {
  readonly name = 'SshError'
  readonly code = 'ENGINE_SSH'
}
