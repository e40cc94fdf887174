import { matchesRefPattern } from '../../../git/ref-pattern.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { findDefaultBranch } from '../../database/stores/project-store.js'
import type { EventToSend } from '../webhooks/deliveries/attempt-delivery.js'
import type { OutgoingMessage } from '../webhooks/deliveries/outgoing-message.js'
import { Fields } from './fields.js'
import { eventFlags, propertiesOf, secretsOf } from './integrations.js'
import { kindOfSlug } from './kinds.js'
import type { Facts } from './senders/sender.js'
import { SENDERS } from './senders/senders.js'
import { Settings } from './settings.js'
import {
  emailOfUser,
  findIntegrationById,
  hasOpenMergeRequest,
  type IntegrationRow,
  protectedBranchNames,
} from './store.js'

export interface SendingDeps {
  database: Database
  secrets: SecretBox
  /** The diff between two commits of a project, cut if it is long; empty if one of them does not exist. */
  diffOf: (projectId: number, range: { from: string; to: string }) => Promise<string>
  /** The last lines of the log of a job that has ended; empty if nobody may read them. */
  logFailure: (jobId: number) => Promise<string>
  /** Called with an event that is sent to an integration, each time that it is. */
  onSent: (integration: IntegrationRow, event: Fields) => Promise<void>
}

/**
 * What an integration sends for the payload of an event; empty if its settings leave the event out, or it was deleted.
 */
export async function integrationMessages(
  deps: SendingDeps,
  integrationId: number,
  { payload, purpose, key }: EventToSend,
): Promise<OutgoingMessage[]> {
  const { database, secrets } = deps
  const row = await findIntegrationById(database, integrationId)
  const format = row && kindOfSlug(row.slug)?.format
  if (!row || !format) return []
  const settings = new Settings({ ...propertiesOf(row), ...secretsOf(secrets, row) })
  const sender = SENDERS[format]
  const test = purpose === 'test' ? sender.test?.(settings) : undefined
  if (test) return test
  const flags = eventFlags(row)
  const event = new Fields(JSON.parse(payload))
  const messages = await sender.send({
    payload,
    event,
    settings,
    wants: (flag) => flags[flag] ?? true,
    key,
    purpose,
    facts: factsOf(deps, row.project_id),
  })
  if (purpose === 'event' && messages.length > 0) await deps.onSent(row, event)
  return messages
}

function factsOf({ database, diffOf, logFailure }: SendingDeps, projectId: number): Facts {
  return {
    logFailure,
    diff: (from, to) => diffOf(projectId, { from, to }),
    emailOf: (userId) => emailOfUser(database, userId),
    hasMergeRequest: (branch) => hasOpenMergeRequest(database, projectId, branch),
    isProtected: async (branch) =>
      (await protectedBranchNames(database, projectId)).some((name) => matchesRefPattern(name, branch)),
    defaultBranch: () => findDefaultBranch(database, projectId),
  }
}
