import { SwitchyardError } from '../../lib/errors.js'

/** The sources of a job could not be brought to its commit; `message` is git's own last word. */
export class SourcesError extends SwitchyardError {
  readonly name = 'SourcesError'
  readonly code = 'SOURCES_FAILED'

  constructor(
    message: string,
    /** As git ended; undefined when git was not the one that failed. */
    readonly exitCode: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
