import { tokenDigest } from '../../../lib/tokens.js'
import type { RunnerCredentials } from '../../../protocol/runner-registration.js'
import type { User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { inTransaction } from '../../database/transaction.js'
import { apiError } from '../../http/errors.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import { newCreatedToken, newRegisteredToken, replacementToken } from './authentication-tokens.js'
import { type RegistrationScope, scopeOfRegistrationToken } from './registration-tokens.js'
import { applySettings, NEW_RUNNER, settingColumns } from './runner-settings.js'
import type { RunnerSettings } from './schema.js'
import { insertRunner, linkRunner, type Runner, updateRunner } from './store.js'

/** Creates the runner for a registration token. Throws 403 for an invalid token, and if administrators disable them. */
export async function registerRunner(
  deps: { database: Database; secrets: SecretBox },
  registrationToken: string,
  settings: RunnerSettings,
): Promise<RunnerCredentials> {
  const scope = await scopeOfRegistrationToken(deps.database, deps.secrets, registrationToken)
  if (!scope) throw apiError('registration_token_invalid')
  const { allow_runner_registration_token, valid_runner_registrars } = await effectiveSettings(
    deps.database,
    'allow_runner_registration_token',
    'valid_runner_registrars',
  )
  if (!allow_runner_registration_token) throw apiError('registration_tokens_disabled')
  if (
    scope.type !== 'instance_type' &&
    !valid_runner_registrars.includes(scope.type.slice(0, -'_type'.length))
  )
    throw apiError('registration_disabled')
  return addRunner(deps.database, scope, settings, newRegisteredToken(scope.type), null)
}

/** Creates a runner for a user whose permission was already checked (runner protocol, 1.6). */
export function createRunner(
  database: Database,
  scope: RegistrationScope,
  settings: RunnerSettings,
  creator: User,
): Promise<RunnerCredentials> {
  return addRunner(database, scope, settings, newCreatedToken(scope.type), creator.id)
}

async function addRunner(
  database: Database,
  scope: RegistrationScope,
  settings: RunnerSettings,
  token: string,
  creatorId: number | null,
): Promise<RunnerCredentials> {
  const columns = settingColumns(applySettings(NEW_RUNNER, settings))
  const token_expires_at = await expiryOfToken(database)
  const runner = await inTransaction(database, async (tx) => {
    const row = await insertRunner(tx, {
      ...columns,
      runner_type: scope.type,
      group_id: scope.type === 'group_type' ? scope.groupId : null,
      token_digest: tokenDigest(token),
      creator_id: creatorId,
      created_at: Date.now(),
      token_expires_at,
    })
    if (scope.type === 'project_type') await linkRunner(tx, row.id, scope.projectId)
    return row
  })
  return runnerCredentials(runner, token)
}

/** Replaces the token of the runner. The old token is invalid immediately. */
export async function resetAuthenticationToken(
  database: Database,
  runner: Runner,
): Promise<Omit<RunnerCredentials, 'id'>> {
  const token = replacementToken(runner)
  const token_expires_at = await expiryOfToken(database)
  await updateRunner(database, runner.id, { token_digest: tokenDigest(token), token_expires_at })
  return { token, token_expires_at: isoTimeOrNull(token_expires_at) }
}

/** Of a new token; null = never. */
async function expiryOfToken(database: Database): Promise<number | null> {
  const { runner_token_expiration_interval: seconds } = await effectiveSettings(
    database,
    'runner_token_expiration_interval',
  )
  return seconds ? Date.now() + seconds * 1000 : null
}

/** The credentials that a runner needs to authenticate; `token` is the plain token. */
export function runnerCredentials(runner: Runner, token: string): RunnerCredentials {
  return { id: runner.id, token, token_expires_at: isoTimeOrNull(runner.token_expires_at) }
}
