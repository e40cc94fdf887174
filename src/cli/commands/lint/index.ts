import { Command } from 'commander'

import { DEFAULT_CONFIG_PATH } from '../../../ci-config/include/find-config.js'
import { inputOption, variableOption } from '../../variable-option.js'
import { lint, type LintOptions } from './lint.js'

/** As the flags are called. */
type Given = Omit<LintOptions, 'variables' | 'inputs'> & Record<'var' | 'input', Map<string, string>>

/** `switchyard lint [FILE]`: what a coordinator would say of a CI file, before it is pushed. */
export function lintCommand(): Command {
  return new Command('lint')
    .description(
      'Check a CI file of the working directory, and tell which jobs it gives; exit status 1 on an error',
    )
    .argument('[file]', 'the CI file; `-` reads it from standard input', DEFAULT_CONFIG_PATH)
    .option('--ref <name>', 'branch or tag that the pipeline would be for (default: what is checked out)')
    .option('--source <source>', 'what would cause it: push, web, api, schedule, …', 'push')
    .addOption(variableOption())
    .addOption(inputOption())
    .option('--merged', 'print the configuration with everything included and extended, as YAML')
    .option('--json', 'print the findings as one JSON object')
    .action((file: string, options: Given) =>
      lint(file, { ...options, variables: options.var, inputs: options.input }),
    )
}
