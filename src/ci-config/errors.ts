import { SwitchyardError } from '../lib/errors.js'

/** What is wrong with a configuration, and where its author can mend it. */
export interface Problem {
  /** A complete sentence, as the language words it (CI language, 1.3). */
  message: string
  /** Keys from the top of the merged file, positions of list items among them; empty when it concerns no key. */
  path: readonly string[]
  /** Absent when no file holds what is wrong, for example a limit of all files together. */
  location?: SourceLocation
}

/** A spot in a file that people wrote; `line` and `column` count from 1. */
export interface SourceLocation {
  /** As the configuration names it: a path, an address, a component. */
  file: string
  line: number
  column: number
}

/** The configuration is wrong. The first problem is the one that is shown first (CI language, 1.3). */
export class ConfigError extends SwitchyardError {
  override readonly name = 'ConfigError'
  readonly code = 'invalid-ci-config'

  constructor(readonly problems: readonly Problem[]) {
    super(problems[0]?.message ?? 'The CI configuration is invalid')
  }
}

/** One problem that makes looking any further pointless; `path` leads to it in the merged file. */
export function invalid(
  message: string,
  path: readonly string[] = [],
  location?: SourceLocation,
): ConfigError {
  return new ConfigError([{ message, path, ...(location && { location }) }])
}

/** A rule asks for what is not there; the message is the end of a sentence that names the job (CI language, 7.2). */
export class RuleError extends SwitchyardError {
  override readonly name = 'RuleError'
  readonly code = 'rule-not-evaluated'
}
