import { SwitchyardError } from '../lib/errors.js'

/** A git command that did not end with exit code 0. `message` holds the last line that git wrote about it. */
export class GitError extends SwitchyardError {
  readonly name = 'GitError'
  readonly code = 'GIT_FAILED'

  constructor(
    readonly command: string,
    readonly exitCode: number | undefined,
    readonly stderr: string,
    options?: ErrorOptions,
  ) {
    super(`git ${command} failed: ${lastLine(stderr) || `exit code ${exitCode ?? 'unknown'}`}`, options)
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
