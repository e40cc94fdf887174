import { SwitchyardError } from '../../../../lib/errors.js'

/** A job of a server cannot be run here. The message names the reason and a remedy. */
export class ReproductionError extends SwitchyardError {
  override readonly name = 'ReproductionError'
  readonly code = 'REPRODUCTION_FAILED'
}
