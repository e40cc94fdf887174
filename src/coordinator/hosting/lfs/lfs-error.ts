import { LFS_ERRORS } from '../../../error-catalogue/git-errors.js'
import { fillMessage, type MessageArguments } from '../../../error-catalogue/message.js'
import { SwitchyardError } from '../../../lib/errors.js'

type LfsErrorCode = keyof typeof LFS_ERRORS

/** An error response to a Git LFS client, which shows `message` (API, B). */
export class LfsError extends SwitchyardError {
  readonly name = 'LfsError'
  readonly status: number

  constructor(
    readonly code: LfsErrorCode,
    message: string,
    /** Further fields of the body. */
    readonly details: Record<string, unknown>,
  ) {
    super(message)
    this.status = LFS_ERRORS[code].status
  }
}

/** The error of the catalogue with this code; `values` replace the placeholders of its message. */
export function lfsError<Code extends LfsErrorCode>(
  code: Code,
  ...[values, details = {}]: MessageArguments<
    (typeof LFS_ERRORS)[Code]['message'],
    [details?: Record<string, unknown>]
  >
): LfsError {
  return new LfsError(code, fillMessage(LFS_ERRORS[code].message, values), details)
}
