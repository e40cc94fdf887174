import { Option } from 'commander'

import { defaultConfigFile } from '../../../runner/config/config-file.js'
import { readBoolean, readInteger, readText } from './flag-values.js'
import { withVariable } from './with-variable.js'

export function configOption(): Option {
  return withVariable(new Option('-c, --config <file>', 'settings file'), 'CONFIG_FILE').default(
    defaultConfigFile(),
  )
}

export function textOption(flags: string, description: string, variable: string): Option {
  return withVariable(new Option(flags, description), variable).argParser(readText)
}

/** `--flag`, `--flag=false`, or a variable that is true or false. */
export function booleanOption(flags: string, description: string, variable: string): Option {
  return withVariable(new Option(`${flags} [boolean]`, description), variable)
    .preset('true')
    .argParser(readBoolean)
}

export function numberOption(flags: string, description: string, variable: string): Option {
  return withVariable(new Option(flags, description), variable).argParser(readInteger)
}

/** Options that select registered runners. Each command accepts those that apply to it. */
export const choosing = {
  name: () => textOption('-n, --name <name>', 'the runner with this name', 'RUNNER_NAME'),
  url: () => textOption('-u, --url <url>', 'the runners of this coordinator', 'CI_SERVER_URL'),
  token: () => textOption('-t, --token <token>', 'the runner with this token', 'CI_SERVER_TOKEN'),
}
