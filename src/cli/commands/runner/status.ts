import { Command } from 'commander'

import { action } from './action.js'
import { type ControlOptions, jsonOption, printJson, withDaemon } from './control-options.js'
import { configOption } from './options.js'
import { statusText } from './status-text.js'

export function statusCommand(): Command {
  return new Command('status')
    .description('show the state of the running daemon')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(action(showStatus))
}

async function showStatus(options: ControlOptions): Promise<void> {
  const status = await withDaemon(options, (daemon) => daemon.status())
  if (options.json) printJson(status)
  else process.stdout.write(statusText(status))
}
