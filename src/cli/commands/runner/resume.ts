import { Command } from 'commander'

import { action } from './action.js'
import { jsonOption, printJson, withDaemon } from './control-options.js'
import { configOption } from './options.js'
import { named, type PauseOptions, runnerOption } from './pause.js'
import { statusText } from './status-text.js'

export function resumeCommand(): Command {
  return new Command('resume')
    .description('let the running daemon accept jobs again')
    .addOption(configOption())
    .addOption(runnerOption())
    .addOption(jsonOption())
    .action(action(resume))
}

async function resume(options: PauseOptions): Promise<void> {
  const status = await withDaemon(options, (daemon) => daemon.resume(named(options)))
  if (options.json) printJson(status)
  else process.stdout.write(statusText(status))
}
