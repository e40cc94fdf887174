import { Command } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import { deleteRegistrations, isEntry } from '../../../runner/config/config-changes.js'
import { changeConfigFile } from '../../../runner/config/config-file.js'
import type { Table } from '../../../runner/config/table-reader.js'
import { action, CommandError } from './action.js'
import {
  type Choice,
  choose,
  chooseSome,
  describeRegistration,
  distinctRunners,
  isSameRunner,
  type ListedRegistration,
  readRegistrations,
  registrationsIn,
  withClient,
} from './chosen-registrations.js'
import { choosing, configOption } from './options.js'

interface UnregisterOptions extends Choice {
  config: string
  allRunners?: boolean
}

export function unregisterCommand(): Command {
  return new Command('unregister')
    .description('delete runners from their coordinator and from the settings')
    .addOption(configOption())
    .addOption(choosing.name())
    .addOption(choosing.url())
    .addOption(choosing.token())
    .option('--all-runners', 'every runner of the settings')
    .action(action(unregister))
}

/** Removes the selected runners. If a coordinator refuses, its registration stays, and the exit code is 1. */
async function unregister(options: UnregisterOptions): Promise<void> {
  const { config } = options
  const problems: string[] = []
  const chosen = await chosenBy(options)
  for (const entry of distinctRunners(chosen)) {
    const repeated = chosen.filter((other) => isSameRunner(entry, other)).map(({ table }) => isEntry(table))
    try {
      await removeFromCoordinator(config, entry)
      if (await registrationsIn(config)) {
        const isDropped = (table: Table) => repeated.some((isRepeated) => isRepeated(table))
        await changeConfigFile(config, deleteRegistrations(isDropped))
      }
      process.stdout.write(`${describeRegistration(entry)} is removed\n`)
    } catch (error) {
      problems.push(`${describeRegistration(entry)} is not removed: ${messageOf(error)}`)
    }
  }
  if (problems.length > 0) throw new CommandError(problems)
}

async function chosenBy(options: UnregisterOptions): Promise<ListedRegistration[]> {
  const { name, url, token, config } = options
  // A runner that is no longer in any file can still be removed by its token.
  if (url && token && choose((await registrationsIn(config)) ?? [], options).length === 0) {
    return [{ name: name ?? '', url, token, executor: '', table: {} }]
  }
  const entries = await readRegistrations(config)
  if (options.allRunners) return entries
  if (name === undefined && token === undefined) {
    throw new CommandError(['Select a runner: --name, --token or --all-runners'])
  }
  return chooseSome(config, entries, { name, url, token })
}

/** For a runner that a user created, removes only this machine from it (runner protocol, 1.6). */
async function removeFromCoordinator(file: string, entry: ListedRegistration): Promise<void> {
  await withClient(file, entry, (client) =>
    entry.token.startsWith('glrt-') ? client.unregisterManager() : client.unregisterRunner(),
  )
}
