import { Command } from 'commander'

import { action } from './action.js'
import { readEntries } from './chosen-entries.js'
import { configOption } from './options.js'

export function listCommand(): Command {
  return new Command('list')
    .description('show the registered runners')
    .addOption(configOption())
    .action(action(list))
}

export async function list(options: { config: string }): Promise<void> {
  const { entries } = await readEntries(options.config)
  for (const { name, executor, token, url } of entries) {
    process.stdout.write(`${name}  Executor=${executor} Token=${token} URL=${url}\n`)
  }
}
