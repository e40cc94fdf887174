import { hostname } from 'node:os'

import { Command } from 'commander'

import { messageOf } from '../../../lib/errors.js'
import type { RunnerCredentials } from '../../../protocol/runner-registration.js'
import { shortToken } from '../../../runner/client/runner-info.js'
import { addEntry, tokenKeys } from '../../../runner/config/config-changes.js'
import { changeConfigFile, readConfigFile } from '../../../runner/config/config-file.js'
import { isExecutorName, listExecutors } from '../../../runner/config/executor-names.js'
import { readSettings } from '../../../runner/config/read-settings.js'
import type { Table } from '../../../runner/config/table-reader.js'
import { untilStopped } from '../../until-stopped.js'
import { action, CommandError } from './action.js'
import {
  describeRegistration,
  isSameRunner,
  listedRegistration,
  registrationsIn,
  withClient,
} from './chosen-registrations.js'
import { type RegisterOptions, registerOptions } from './register-options.js'
import { askForMissing, type RegisterPlan } from './register-questions.js'
import { registrationFrom } from './registration-options.js'
import { ignoredFlags, missingIn, registrationOf, type TokenKind, tokenKindOf } from './registration.js'
import { mergeTables, readTemplate } from './template-config.js'
import { hasTerminal, withPipedAnswers, withTerminal } from './terminal.js'

const NEW_FILE: Table = { concurrent: 1, check_interval: 0 }

export function registerCommand(): Command {
  const command = new Command('register').description('register this machine at a coordinator')
  registerOptions().forEach((option) => command.addOption(option))
  return command.action(
    action((options: RegisterOptions) => register(options, registrationFrom({ ...options }))),
  )
}

/**
 * Registers a runner, or uses one that a user created, and adds it to the settings (runner protocol, 1.4, 1.6 and
 * 9.6). A registration that cannot be stored, or is interrupted, is reverted. Unlike the reference runner, adds no
 * volume `/cache`, because caches of jobs do not need one.
 */
async function register(options: RegisterOptions, given: Table): Promise<void> {
  const template = options.templateConfig ? await readTemplate(options.templateConfig) : {}
  const entry = { executor: 'docker', ...mergeTables(template, given) }
  await readConfigFile(options.config) // report problems before the registration that would prevent storing it
  checkExecutor(entry)
  const plan = await complete({ options, entry, token: tokenKindOf(options) })
  const { token } = plan
  if (!token) throw new CommandError(missingIn(plan.entry, token))
  checkEntry(plan.entry)
  for (const flag of ignoredFlags(plan.options, token)) warn(`${flag} is ignored: the coordinator stores it`)
  await registerAndWrite({ ...plan, entry: { ...plan.entry, name: plan.entry['name'] || hostname() }, token })
}

function checkExecutor(entry: Table): void {
  if (isExecutorName(String(entry['executor']))) return
  throw new CommandError([
    `--executor ${String(entry['executor'])} is not supported: this runner has ${listExecutors()}`,
  ])
}

async function complete(plan: RegisterPlan): Promise<RegisterPlan> {
  const missing = missingIn(plan.entry, plan.token)
  if (missing.length === 0) return plan
  const problems = missing.map((option) => `${option} is missing`)
  if (plan.options.nonInteractive) throw new CommandError(problems)
  if (hasTerminal()) return withTerminal('Nothing was registered', (ask) => askForMissing(plan, ask))
  return withPipedAnswers(
    [
      ...problems,
      'The input has no line for a question: give the missing values as flags or variables, or one answer a line',
    ],
    (ask) => askForMissing(plan, ask),
  )
}

/** Settings that the daemon would refuse are refused before the runner is registered. */
function checkEntry(entry: Table): void {
  const table = { runners: [{ ...entry, token: 'not-known-yet' }] }
  const { warnings } = readSettings(table, 'The settings conflict', process.env)
  warnings.forEach(warn)
}

async function registerAndWrite(plan: RegisterPlan & { token: TokenKind }): Promise<void> {
  const { options, token } = plan
  const stop = untilStopped()
  try {
    const credentials = await credentialsOf(plan)
    try {
      if (stop.signal.aborted) throw new CommandError(['Interrupted'])
      await changeConfigFile(options.config, addEntry(withCredentials(plan.entry, credentials)), NEW_FILE)
    } catch (error) {
      if (token.kind === 'registration' && !options.leaveRunner) await undoRegistration(plan, credentials)
      throw error
    }
    process.stdout.write(
      `Runner "${String(plan.entry['name'])}" (${shortToken(credentials.token)}) is registered; ` +
        `its settings are in ${options.config}\n`,
    )
  } finally {
    stop.release()
  }
}

async function credentialsOf({
  options,
  entry,
  token,
}: RegisterPlan & { token: TokenKind }): Promise<RunnerCredentials> {
  const listed = listedRegistration(entry)
  if (token.kind === 'registration') {
    const registration = registrationOf(options, token.token, listed.name)
    return withClient(options.config, { ...listed, token: '' }, (client) =>
      client.registerRunner(registration),
    )
  }
  await refuseRepeated(options.config, { url: listed.url, token: token.token })
  const credentials = await withClient(options.config, { ...listed, token: token.token }, (client) =>
    client.verifyRunner(),
  )
  if (credentials?.id) return credentials
  throw new CommandError(['The coordinator is too old for --token; use --registration-token'])
}

/** The daemon would serve one of the two, and a new token for one would lose the other. */
async function refuseRepeated(file: string, runner: { url: string; token: string }): Promise<void> {
  const same = ((await registrationsIn(file)) ?? []).find((other) => isSameRunner(runner, other))
  if (!same) return
  throw new CommandError([
    `${describeRegistration(same)} is registered already: change its settings in ${file}, ` +
      'or remove it first with `switchyard runner unregister`',
  ])
}

/** In the usual order of interest: name, URL, token, and then everything else. */
function withCredentials({ name, url, ...others }: Table, credentials: RunnerCredentials): Table {
  const { id, token, token_expires_at } = credentials
  const expiresAt = token_expires_at ? new Date(token_expires_at) : undefined
  return { name, url, id, ...tokenKeys({ token, obtainedAt: new Date(), expiresAt }), ...others }
}

async function undoRegistration(
  { options, entry }: RegisterPlan,
  credentials: RunnerCredentials,
): Promise<void> {
  try {
    const listed = { ...listedRegistration(entry), token: credentials.token }
    await withClient(options.config, listed, (client) => client.unregisterRunner())
    warn('The runner was removed from the coordinator again')
  } catch (error) {
    warn(`The runner could not be removed from the coordinator again: ${messageOf(error)}`)
  }
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`)
}
