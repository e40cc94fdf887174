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

/** An object that is asked for as text is larger than such text may be. */
export class ObjectTooLargeError extends SwitchyardError {
  readonly name = 'ObjectTooLargeError'
  readonly code = 'GIT_OBJECT_TOO_LARGE'

  constructor(
    readonly object: string,
    readonly bytes: number,
    readonly maximum: number,
  ) {
    super(`${object} has ${bytes} bytes; at most ${maximum} are read`)
  }
}

/** Bytes that should be git's line framing and are not. */
export class PktLineError extends SwitchyardError {
  readonly name = 'PktLineError'
  readonly code = 'GIT_PKT_LINE'

  constructor(problem: string) {
    super(`not a git request: ${problem}`)
  }
}

/** Git was ended because whoever wanted its output went away, or because it took too long; `cause` is which. */
export class GitStoppedError extends SwitchyardError {
  readonly name = 'GitStoppedError'
  readonly code = 'GIT_STOPPED'

  constructor(cause: unknown) {
    super('git was ended before it was done', { cause })
  }
}
