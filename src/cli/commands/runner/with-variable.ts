import type { Option } from 'commander'

/**
 * Lets a variable of the environment stand for a flag. An emptied one counts as none: a variable is emptied more easily
 * than removed, and commander would read a switch that is there without a value as on.
 */
export function withVariable(option: Option, variable: string): Option {
  return process.env[variable] === '' ? option : option.env(variable)
}
