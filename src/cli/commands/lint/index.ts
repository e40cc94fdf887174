import { Command } from 'commander'

import { DEFAULT_CONFIG_PATH } from '../../../ci-config/include/find-config.js'
import { inputOption, variableOption } from '../../variable-option.js'
import { withOutsideOptions } from '../../working-directory/outside/outside-flags.js'
import { lint, type LintOptions } from './lint.js'

/** Named like the flags. */
type Given = Omit<LintOptions, 'variables' | 'inputs'> &
  Record<'var' | 'varFile' | 'input', Map<string, string>>

/** `switchyard lint [FILE]`: checks a CI file as a coordinator would, before it is pushed. */
export function lintCommand(): Command {
  const command = new Command('lint')
    .description('Check a CI file of the working directory and list its jobs; exit status 1 on an error')
    .argument('[file]', 'the CI file; `-` reads it from standard input', DEFAULT_CONFIG_PATH)
    .option('--ref <name>', 'branch or tag of the pipeline (default: the one that is checked out)')
    .option('--source <source>', 'source of the pipeline: push, web, api, schedule, …', 'push')
    .addOption(variableOption())
    .addOption(inputOption())
    .option('--merged', 'print the configuration with all includes and extends applied, as YAML')
    .option('--json', 'print the result as one JSON object')
  return withOutsideOptions(command).action(
    (file: string, { var: given, varFile, input, ...options }: Given) =>
      lint(file, { ...options, variables: new Map([...varFile, ...given]), inputs: input }),
  )
}
