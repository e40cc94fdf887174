import { Command, Option } from 'commander'

import { action } from './action.js'
import { type ControlOptions, jsonOption, printJson, withDaemon } from './control-options.js'
import { configOption } from './options.js'
import { statusText } from './status-text.js'

export interface PauseOptions extends ControlOptions {
  runner?: string
}

export function pauseCommand(): Command {
  return new Command('pause')
    .description('stop taking new jobs until `resume`, even after a restart')
    .addOption(configOption())
    .addOption(runnerOption())
    .addOption(jsonOption())
    .action(action(pause))
}

/** The registration. All of them if none is named. */
export function runnerOption(): Option {
  return new Option('-r, --runner <name>', 'only the registration with this name')
}

async function pause(options: PauseOptions): Promise<void> {
  const status = await withDaemon(options, (daemon) => daemon.pause(named(options)))
  if (options.json) printJson(status)
  else process.stdout.write(statusText(status))
}

export function named({ runner }: PauseOptions): { runner?: string } {
  return runner === undefined ? {} : { runner }
}
