import { SwitchyardError } from '../lib/errors.js'
import type { Suggestion } from './suggestion.js'

/** A problem in a configuration, with its location. */
export interface Problem {
  /** A complete sentence, as the language words it (CI language, 1.3). */
  message: string
  /** Keys from the top of the merged file, including list indexes; empty if the problem concerns no key. */
  path: readonly string[]
  /** Absent if the problem is in no single file, such as a limit on all files together. */
  location?: SourceLocation
  /** Words of the message for which there may be better ones; left out of results. */
  suggest?: Suggestion
}

/** A location in a CI file; `line` and `column` count from 1. */
export interface SourceLocation {
  /** As in the configuration: a path, a URL, a component. */
  file: string
  line: number
  column: number
}

/** The configuration is invalid. The first problem is the one to show first (CI language, 1.3). */
export class ConfigError extends SwitchyardError {
  override readonly name = 'ConfigError'
  readonly code = 'invalid-ci-config'

  constructor(readonly problems: readonly Problem[]) {
    super(problems[0]?.message ?? 'The CI configuration is invalid')
  }
}

/**
 * Creates an error with one problem that ends all further checks; `path` is its location in the merged file.
 */
export function invalid(
  message: string,
  path: readonly string[] = [],
  location?: SourceLocation,
  suggest?: Suggestion,
): ConfigError {
  return new ConfigError([{ message, path, ...(location && { location }), ...(suggest && { suggest }) }])
}

/**
 * A rule refers to something that does not exist; the message completes a sentence that names the job (CI
 * language, 7.2).
 */
export class RuleError extends SwitchyardError {
  override readonly name = 'RuleError'
  readonly code = 'rule-not-evaluated'
}
