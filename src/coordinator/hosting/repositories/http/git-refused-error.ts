import { GIT_ERRORS } from '../../../../error-catalogue/git-errors.js'
import { fillMessage, type MessageArguments } from '../../../../error-catalogue/message.js'
import { SwitchyardError } from '../../../../lib/errors.js'

type GitErrorCode = keyof typeof GIT_ERRORS

/** A response other than 200 to a git client, which shows `message` after `remote:` (API, B). */
export class GitRefusedError extends SwitchyardError {
  readonly name = 'GitRefusedError'
  readonly status: number

  constructor(
    readonly code: GitErrorCode,
    message: string,
    readonly headers: Record<string, string>,
  ) {
    super(message)
    this.status = GIT_ERRORS[code].status
  }
}

/** The error of the catalogue with this code; `values` replace the placeholders of its message. */
export function gitError<Code extends GitErrorCode>(
  code: Code,
  ...[values, headers = {}]: MessageArguments<
    (typeof GIT_ERRORS)[Code]['message'],
    [headers?: Record<string, string>]
  >
): GitRefusedError {
  return new GitRefusedError(code, fillMessage(GIT_ERRORS[code].message, values), headers)
}

const CHALLENGE = { 'www-authenticate': 'Basic realm="Switchyard"' }

export function credentialsWanted(): GitRefusedError {
  return gitError('git_credentials_required', {}, CHALLENGE)
}
