import { InvalidArgumentError, Option } from 'commander'

import { defaultConfigFile } from '../../../runner/config/config-file.js'

export function configOption(): Option {
  return new Option('-c, --config <file>', 'settings file').env('CONFIG_FILE').default(defaultConfigFile())
}

export function textOption(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(variable)
}

/** `--flag`, `--flag=false` or a variable that says true or false. */
export function booleanOption(flags: string, description: string, variable: string): Option {
  return new Option(`${flags} [boolean]`, description).env(variable).preset('true').argParser(parseBoolean)
}

export function numberOption(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(variable).argParser(parseNumber)
}

/** May be given several times, or once with commas. */
export function listOption(flags: string, description: string, variable: string): Option {
  return new Option(flags, description)
    .env(variable)
    .argParser((text: string, previous: string[] | undefined) => [...(previous ?? []), ...splitList(text)])
}

export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function parseBoolean(text: string): boolean {
  if (['1', 't', 'true'].includes(text.toLowerCase())) return true
  if (['0', 'f', 'false'].includes(text.toLowerCase())) return false
  throw new InvalidArgumentError('It is neither true nor false.')
}

function parseNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is not a whole number.')
  return Number(text)
}
