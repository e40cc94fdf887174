import { Command } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import { writeConfigFile } from '../../../runner/config/config-file.js'
import { loadSystemId } from '../../../runner/config/system-id.js'
import { shortToken } from '../../../runner/short-token.js'
import { action, CommandError } from './action.js'
import { type Choice, choose, clientFor, type ListedEntry, readEntries } from './chosen-entries.js'
import { configOption, textOption } from './options.js'

export interface UnregisterOptions extends Choice {
  config: string
  allRunners?: boolean
}

export function unregisterCommand(): Command {
  return new Command('unregister')
    .description('remove runners from their coordinator and from the settings')
    .addOption(configOption())
    .addOption(textOption('-n, --name <name>', 'the runner of this name', 'RUNNER_NAME'))
    .addOption(textOption('-u, --url <url>', 'runners of this coordinator', 'CI_SERVER_URL'))
    .addOption(textOption('-t, --token <token>', 'the runner with this token', 'CI_SERVER_TOKEN'))
    .option('--all-runners', 'every runner of the settings')
    .action(action(unregister))
}

/** Removes the chosen runners; an entry stays when its coordinator did not agree. */
export async function unregister(options: UnregisterOptions): Promise<void> {
  const { table, entries } = await readEntries(options.config)
  const chosen = chosenBy(options, entries)
  const systemId = await loadSystemId(options.config)
  const removed: ListedEntry[] = []
  const problems: string[] = []
  for (const entry of chosen) {
    try {
      await removeFromCoordinator(entry, systemId)
      removed.push(entry)
      process.stdout.write(`${describe(entry)} is removed\n`)
    } catch (error) {
      problems.push(`${describe(entry)} is not removed: ${messageOf(error)}`)
    }
  }
  const rest = entries.filter((entry) => !removed.includes(entry))
  if (rest.length < entries.length) {
    await writeConfigFile(options.config, { ...table, runners: rest.map((entry) => entry.table) })
  }
  if (problems.length > 0) throw new CommandError(problems)
}

function chosenBy(options: UnregisterOptions, entries: ListedEntry[]): ListedEntry[] {
  if (options.allRunners) return entries
  const { name, url, token } = options
  if (name === undefined && token === undefined) {
    throw new CommandError(['Say which runner: --name, --token or --all-runners'])
  }
  const chosen = choose(entries, options)
  if (chosen.length > 0) return chosen
  // A runner that no file knows any more can still be removed by its token.
  if (url && token) return [{ name: name ?? '', url, token, executor: '', table: {} }]
  throw new CommandError([`No runner of ${options.config} fits`])
}

/** A runner that a user created stays; only this machine leaves it (runner protocol, 1.6). */
async function removeFromCoordinator(entry: ListedEntry, systemId: string): Promise<void> {
  const client = clientFor(entry, systemId)
  try {
    if (entry.token.startsWith('glrt-')) await client.unregisterManager()
    else await client.unregisterRunner()
  } finally {
    await client.close()
  }
}

function describe(entry: ListedEntry): string {
  return `Runner "${entry.name}" (${shortToken(entry.token)})`
}
