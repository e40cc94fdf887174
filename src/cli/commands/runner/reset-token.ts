import { Command } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import type { NewRunnerToken } from '../../../protocol/runner-registration.js'
import { shortToken } from '../../../runner/client/runner-info.js'
import { hasToken, storeToken } from '../../../runner/config/config-changes.js'
import { changeConfigFile } from '../../../runner/config/config-file.js'
import { action, CommandError } from './action.js'
import {
  type Choice,
  chooseSome,
  describeRegistration,
  distinctRunners,
  type ListedRegistration,
  readRegistrations,
  withClient,
} from './chosen-registrations.js'
import { choosing, configOption, numberOption, textOption } from './options.js'

interface ResetTokenOptions extends Choice {
  config: string
  allRunners?: boolean
  pat?: string
}

export function resetTokenCommand(): Command {
  return new Command('reset-token')
    .description('replace the tokens of runners and store the new ones')
    .addOption(configOption())
    .addOption(choosing.name())
    .addOption(choosing.url())
    .addOption(numberOption('-i, --id <id>', 'the runner with this ID', 'RUNNER_ID'))
    .option('--all-runners', 'every runner of the settings')
    .addOption(
      textOption(
        '--pat <token>',
        'authenticate with a personal access token instead of that of the runner',
        'PAT',
      ),
    )
    .action(action(resetToken))
}

/** Each new token is stored before the next one is requested, because the old one is no longer valid. */
async function resetToken(options: ResetTokenOptions): Promise<void> {
  const problems: string[] = []
  for (const entry of await chosenBy(options)) {
    try {
      const response = await requestNewToken(options, entry)
      await writeDown(options.config, entry, response)
      const until = response.token_expires_at ? `, valid until ${response.token_expires_at}` : ''
      process.stdout.write(
        `${describeRegistration(entry)} has a new token (${shortToken(response.token)})${until}\n`,
      )
    } catch (error) {
      problems.push(`The token of ${describeRegistration(entry)} is not replaced: ${messageOf(error)}`)
    }
  }
  if (problems.length > 0) throw new CommandError(problems)
}

async function chosenBy(options: ResetTokenOptions): Promise<ListedRegistration[]> {
  const { name, url, id, config } = options
  const entries = await readRegistrations(config)
  if (options.allRunners) return distinctRunners(entries)
  if (name === undefined && url === undefined && id === undefined) {
    throw new CommandError(['Select a runner: --name, --id, --url or --all-runners'])
  }
  return distinctRunners(chooseSome(config, entries, { name, url, id }))
}

async function requestNewToken(
  options: ResetTokenOptions,
  entry: ListedRegistration,
): Promise<NewRunnerToken> {
  const { pat, config } = options
  const id = entry.table['id']
  if (!pat) return withClient(config, entry, (client) => client.resetToken())
  if (typeof id !== 'number') {
    throw new CommandError([
      `the settings do not contain its ID, which --pat needs; write id = … into ${config}`,
    ])
  }
  return withClient(config, entry, (client) => client.resetTokenFor(id, pat))
}

/** A token that cannot be stored is printed, because otherwise the runner would be lost. */
async function writeDown(file: string, entry: ListedRegistration, response: NewRunnerToken): Promise<void> {
  const stored = {
    token: response.token,
    obtainedAt: new Date(),
    expiresAt: response.token_expires_at ? new Date(response.token_expires_at) : undefined,
  }
  try {
    await changeConfigFile(file, storeToken(hasToken(entry.url, entry.token, process.env), stored))
  } catch (error) {
    throw new CommandError([`${messageOf(error)}; its new token is ${response.token}: store it yourself`])
  }
}
