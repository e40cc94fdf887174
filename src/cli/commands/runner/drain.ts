import { Command, Option } from 'commander'

import type { DrainMessage } from '../../../runner/control/messages.js'
import { action, CommandError } from './action.js'
import { type ControlOptions, jsonOption, withDaemon } from './control-options.js'
import { configOption } from './options.js'

interface DrainOptions extends ControlOptions {
  wait: boolean
}

export function drainCommand(): Command {
  return new Command('drain')
    .description('stop the running daemon after its jobs have ended, and let it accept no more jobs')
    .addOption(configOption())
    .addOption(new Option('--no-wait', 'do not wait for the end'))
    .addOption(jsonOption())
    .action(action(drain))
}

/** If the command ends early, because of `--no-wait` or Ctrl-C, the daemon still drains. */
async function drain(options: DrainOptions): Promise<void> {
  await withDaemon(options, async (daemon) => {
    let last: DrainMessage | undefined
    for await (const message of daemon.drain()) {
      last = message
      process.stdout.write(options.json ? `${JSON.stringify(message)}\n` : `${progressText(message)}\n`)
      if (!options.wait) return
    }
    if (!last?.stopped) throw new CommandError(['The runner ended before its jobs had'])
  })
}

function progressText({ running, stopped }: DrainMessage): string {
  if (stopped) return 'The runner has stopped'
  const jobs = running === 1 ? '1 job runs' : `${running} jobs run`
  return `The runner accepts no more jobs; ${jobs}`
}
