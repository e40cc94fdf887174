import type { Option } from 'commander'

/** The flag of an option in help; another spelling of it is not worth the room. */
export function optionTerm({ flags, short }: Option): string {
  return short?.startsWith('--') ? flags.replace(`${short}, `, '') : flags
}

/** What help says of a flag: its text, its default, and the variable that stands for it. */
export function describeOption(option: Option): string {
  const { description, envVar } = option
  const defaultValue: unknown = option.defaultValue
  const fallback = typeof defaultValue === 'string' ? ` (default: ${defaultValue})` : ''
  return `${description}${fallback}${envVar === undefined ? '' : ` [$${envVar}]`}`
}
