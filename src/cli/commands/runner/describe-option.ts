import type { Option } from 'commander'

/** The flags of an option for the help, without its alias. */
export function optionTerm({ flags, short }: Option): string {
  return short?.startsWith('--') ? flags.replace(`${short}, `, '') : flags
}

/** The help text of a flag: its description, its default, and its environment variable. */
export function describeOption(option: Option): string {
  const { description, envVar } = option
  const defaultValue: unknown = option.defaultValue
  const fallback = typeof defaultValue === 'string' ? ` (default: ${defaultValue})` : ''
  return `${description}${fallback}${envVar === undefined ? '' : ` [$${envVar}]`}`
}
