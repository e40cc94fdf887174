import { Command } from 'commander'

import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { SettingsError } from '../../../runner/client/errors.js'
import { readConfigFile } from '../../../runner/config/config-file.js'
import { readSettings } from '../../../runner/config/read-settings.js'
import { action, CommandError } from './action.js'
import { configOption } from './options.js'

export function lintCommand(): Command {
  return new Command('lint')
    .description(
      'check a settings file: problems keep the runner from starting, warnings name keys without effect',
    )
    .addOption(configOption())
    .action(action(lint))
}

/** Prints every problem and warning on a line, and a summary. The exit code is 1 if there is a problem. */
async function lint({ config }: { config: string }): Promise<void> {
  const { problems, warnings, runners } = await findings(config)
  for (const problem of problems) say(`error: ${problem}`)
  for (const warning of warnings) say(`warning: ${warning}`)
  say(
    problems.length > 0
      ? `${config} is not valid: ${count(problems.length, 'error')}, ${count(warnings.length, 'warning')}`
      : `${config} is valid: ${count(runners, 'runner')}, ${count(warnings.length, 'warning')}`,
  )
  if (problems.length > 0) process.exitCode = EXIT_CODES.failed.code
}

async function findings(file: string): Promise<{ problems: string[]; warnings: string[]; runners: number }> {
  const table = await readConfigFile(file)
  if (!table) throw new CommandError([`${file} does not exist`])
  try {
    const { settings, warnings } = readSettings(table, file, process.env)
    return { problems: [], warnings, runners: settings.runners.length }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return { problems: error.problems, warnings: error.warnings, runners: 0 }
  }
}

function count(number: number, label: string): string {
  return `${number} ${label}${number === 1 ? '' : 's'}`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
