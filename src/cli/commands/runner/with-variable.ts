import type { Option } from 'commander'

/**
 * Lets an environment variable replace a flag. An empty variable counts as absent, because emptying a variable is
 * easier than removing it. Commander would treat an empty variable as an enabled switch.
 */
export function withVariable(option: Option, variable: string): Option {
  return process.env[variable] === '' ? option : option.env(variable)
}
