import { SwitchyardError } from '../lib/errors.js'

/** A git command that did not exit with 0. `message` contains the last line of its error output. */
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

/** An object that was requested as text exceeds the maximum size. */
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

/** Bytes that are not valid pkt-line framing of git. */
export class PktLineError extends SwitchyardError {
  readonly name = 'PktLineError'
  readonly code = 'GIT_PKT_LINE'

  constructor(problem: string) {
    super(`not a git request: ${problem}`)
  }
}

/** Git was stopped because its reader closed the output, or because of a timeout. `cause` tells which. */
export class GitStoppedError extends SwitchyardError {
  readonly name = 'GitStoppedError'
  readonly code = 'GIT_STOPPED'

  constructor(cause: unknown) {
    super('git was stopped before it finished', { cause })
  }
}
