import { SwitchyardError } from '../../../../lib/errors.js'

/** An answer other than 200 to a git client, which shows `message` after `remote:` (API, B). */
export class GitRefusedError extends SwitchyardError {
  readonly name = 'GitRefusedError'
  readonly code = 'GIT_REFUSED'

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message)
  }
}

const CHALLENGE = { 'www-authenticate': 'Basic realm="Switchyard"' }

export function credentialsWanted(): GitRefusedError {
  return new GitRefusedError(
    401,
    'HTTP Basic: Access denied. Use any username, and a personal access token as the password.',
    CHALLENGE,
  )
}
