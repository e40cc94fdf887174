import { Command } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import { loadSystemId } from '../../../runner/config/system-id.js'
import { CoordinatorAnswerError } from '../../../runner/errors.js'
import { shortToken } from '../../../runner/short-token.js'
import { action, CommandError } from './action.js'
import { type Choice, choose, clientFor, type ListedEntry, readEntries } from './chosen-entries.js'
import { configOption, textOption } from './options.js'

export function verifyCommand(): Command {
  return new Command('verify')
    .description('ask the coordinators whether they know the registered runners')
    .addOption(configOption())
    .addOption(textOption('-n, --name <name>', 'only the runner of this name', 'RUNNER_NAME'))
    .addOption(textOption('-u, --url <url>', 'only runners of this coordinator', 'CI_SERVER_URL'))
    .addOption(textOption('-t, --token <token>', 'only the runner with this token', 'CI_SERVER_TOKEN'))
    .action(action(verify))
}

/** One line for each chosen runner; fails when one of them could not be confirmed. */
export async function verify(options: Choice & { config: string }): Promise<void> {
  const { entries } = await readEntries(options.config)
  const chosen = choose(entries, options)
  if (chosen.length === 0) throw new CommandError([`No runner of ${options.config} fits`])
  const systemId = await loadSystemId(options.config)
  const problems: string[] = []
  for (const entry of chosen) {
    const problem = await problemOf(entry, systemId)
    if (problem === undefined) process.stdout.write(`${describe(entry)} is alive\n`)
    else problems.push(`${describe(entry)} ${problem}`)
  }
  if (problems.length > 0) throw new CommandError(problems)
}

async function problemOf(entry: ListedEntry, systemId: string): Promise<string | undefined> {
  const client = clientFor(entry, systemId)
  try {
    await client.verifyRunner()
    return undefined
  } catch (error) {
    // Only this status says that the runner is gone; anything else says nothing about it (runner protocol, 1.4).
    const isInvalid = error instanceof CoordinatorAnswerError && error.status === 403
    return isInvalid ? 'is not valid: it was removed' : `could not be verified: ${messageOf(error)}`
  } finally {
    await client.close()
  }
}

function describe(entry: ListedEntry): string {
  return `Runner "${entry.name}" (${shortToken(entry.token)})`
}
