import { Command } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import { CoordinatorResponseError } from '../../../runner/client/errors.js'
import { deleteRegistrations, isEntry } from '../../../runner/config/config-changes.js'
import { changeConfigFile } from '../../../runner/config/config-file.js'
import { action, CommandError } from './action.js'
import {
  type Choice,
  chooseSome,
  describeRegistration,
  type ListedRegistration,
  readRegistrations,
  withClient,
} from './chosen-registrations.js'
import { booleanOption, choosing, configOption } from './options.js'

interface VerifyOptions extends Choice {
  config: string
  delete?: boolean
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description('check that the coordinators know the registered runners')
    .addOption(configOption())
    .addOption(choosing.name())
    .addOption(choosing.url())
    .addOption(choosing.token())
    .addOption(booleanOption('--delete', 'remove unknown runners from the settings', 'VERIFY_DELETE'))
    .action(action(verify))
}

/**
 * Prints one line for each selected runner. The exit code is 1 if a runner is unknown and stays in the settings, or
 * could not be checked. A runner that could not be checked is never removed (runner protocol, 1.4 and 9.6).
 */
async function verify(options: VerifyOptions): Promise<void> {
  const chosen = chooseSome(options.config, await readRegistrations(options.config), options)
  const problems: string[] = []
  for (const entry of chosen) {
    const found = await verifyRegistration(options.config, entry)
    if (found.kind === 'alive') say(`${describeRegistration(entry)} is alive`)
    else if (found.kind === 'unknown') problems.push(`${describeRegistration(entry)} ${found.problem}`)
    else if (options.delete) await remove(options.config, entry)
    else
      problems.push(
        `${describeRegistration(entry)} is not valid: it was removed; use --delete to remove it from the settings`,
      )
  }
  if (problems.length > 0) throw new CommandError(problems)
}

type Found = { kind: 'alive' } | { kind: 'removed' } | { kind: 'unknown'; problem: string }

async function verifyRegistration(file: string, entry: ListedRegistration): Promise<Found> {
  try {
    await withClient(file, entry, (client) => client.verifyRunner())
    return { kind: 'alive' }
  } catch (error) {
    // Only this status means that the runner does not exist. All others are inconclusive.
    if (error instanceof CoordinatorResponseError && error.status === 403) return { kind: 'removed' }
    return { kind: 'unknown', problem: `could not be verified: ${messageOf(error)}` }
  }
}

async function remove(file: string, entry: ListedRegistration): Promise<void> {
  await changeConfigFile(file, deleteRegistrations(isEntry(entry.table)))
  say(`${describeRegistration(entry)} is not valid and was removed from ${file}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
