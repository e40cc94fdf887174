import { Command } from 'commander'

import { action } from './action.js'
import { readRegistrations } from './chosen-registrations.js'
import { configOption } from './options.js'

export function listCommand(): Command {
  return new Command('list')
    .description('show the registered runners with their tokens')
    .addOption(configOption())
    .action(action(list))
}

async function list(options: { config: string }): Promise<void> {
  for (const { name, executor, token, url } of await readRegistrations(options.config)) {
    process.stdout.write(`${name}  Executor=${executor} Token=${token} URL=${url}\n`)
  }
}
