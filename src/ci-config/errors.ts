import { SwitchyardError } from '../lib/errors.js'

/** The configuration is wrong. `problems` are complete sentences, the first one first (CI language, 1.3). */
export class ConfigError extends SwitchyardError {
  override readonly name = 'ConfigError'
  readonly code = 'invalid-ci-config'

  constructor(readonly problems: string[]) {
    super(problems[0] ?? 'The CI configuration is invalid')
  }
}

/** One problem that makes looking any further pointless. */
export function invalid(problem: string): ConfigError {
  return new ConfigError([problem])
}

/** A rule asks for what is not there; the message is the end of a sentence that names the job (CI language, 7.2). */
export class RuleError extends SwitchyardError {
  override readonly name = 'RuleError'
  readonly code = 'rule-not-evaluated'
}
