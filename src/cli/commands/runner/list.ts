import { Command } from 'commander'

import { action } from './action.js'
import { readRegistrations } from './chosen-registrations.js'
import { type ControlOptions, jsonOption, printJson, withDaemon } from './control-options.js'
import { configOption } from './options.js'
import { hostsText } from './status-text.js'

interface ListOptions extends ControlOptions {
  hosts?: boolean
}

export function listCommand(): Command {
  return new Command('list')
    .description('show the registered runners with their tokens')
    .addOption(configOption())
    .option('--hosts', 'show the Docker hosts of the running daemon')
    .addOption(jsonOption())
    .action(action(list))
}

async function list(options: ListOptions): Promise<void> {
  if (options.hosts) await listHosts(options)
  else await listRegistrations(options)
}

async function listRegistrations(options: ListOptions): Promise<void> {
  const registrations = (await readRegistrations(options.config)).map(({ name, executor, token, url }) => ({
    name,
    executor,
    token,
    url,
  }))
  if (options.json) {
    printJson(registrations)
    return
  }
  for (const { name, executor, token, url } of registrations) {
    process.stdout.write(`${name}  Executor=${executor} Token=${token} URL=${url}\n`)
  }
}

/** Their state is known to the daemon alone. */
async function listHosts(options: ListOptions): Promise<void> {
  const { entries } = await withDaemon(options, (daemon) => daemon.status())
  const hosts = entries.flatMap((entry) =>
    (entry.hosts ?? []).map((host) => ({ runner: entry.name, ...host })),
  )
  if (options.json) printJson(hosts)
  else process.stdout.write(hostsText(hosts))
}
