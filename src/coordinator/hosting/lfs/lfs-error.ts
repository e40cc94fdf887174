import { SwitchyardError } from '../../../lib/errors.js'

/** An error answer to a Git LFS client, which shows `message` (API, B). */
export class LfsError extends SwitchyardError {
  readonly name = 'LfsError'
  readonly code = 'LFS_REFUSED'

  /** `details` are further fields of the body. */
  constructor(
    readonly status: number,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message)
  }
}
