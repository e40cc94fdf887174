import { Option } from 'commander'

import { defaultConfigFile } from '../../../runner/config/config-file.js'
import { readBoolean, readInteger, readText } from './flag-values.js'

export function configOption(): Option {
  return new Option('-c, --config <file>', 'settings file').env('CONFIG_FILE').default(defaultConfigFile())
}

export function textOption(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(variable).argParser(readText)
}

/** `--flag`, `--flag=false` or a variable that says true or false. */
export function booleanOption(flags: string, description: string, variable: string): Option {
  return new Option(`${flags} [boolean]`, description).env(variable).preset('true').argParser(readBoolean)
}

export function numberOption(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(variable).argParser(readInteger)
}
