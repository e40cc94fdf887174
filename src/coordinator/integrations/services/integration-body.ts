import { matchesRefPattern } from '../../../git/ref-pattern.js'
import { isRecord } from '../../../lib/is-record.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { describeEvent, type Message } from './describe-event.js'
import { formatMessage } from './format-message.js'
import { propertiesOf, secretsOf } from './integrations.js'
import { kindOfSlug } from './kinds.js'
import { findIntegrationById } from './store.js'

type Values = Readonly<Record<string, unknown>>

/**
 * What an integration sends for the payload of an event, as JSON; undefined if its settings leave the event out, or it
 * was deleted.
 */
export async function integrationBody(
  { database, secrets }: { database: Database; secrets: SecretBox },
  integrationId: number,
  payload: string,
): Promise<string | undefined> {
  const row = await findIntegrationById(database, integrationId)
  const format = row && kindOfSlug(row.slug)?.format
  if (!row || !format) return undefined
  const event: unknown = JSON.parse(payload)
  if (format === 'jenkins' || format === 'drone' || format === 'buildkite') return payload
  if (format === 'packagist') return JSON.stringify({ repository: { url: cloneUrlIn(event) } })
  const values = { ...propertiesOf(row), ...secretsOf(secrets, row) }
  const message = describeEvent(event)
  if (!message || !(await isWanted(database, row.project_id, event, message, values))) return undefined
  return JSON.stringify(formatMessage(format, message, values))
}

function cloneUrlIn(event: unknown): unknown {
  return isRecord(event) && isRecord(event['project']) ? event['project']['git_http_url'] : undefined
}

/** By the branches, and whether pipelines that passed are wanted. */
async function isWanted(
  database: Database,
  projectId: number,
  event: unknown,
  { branch, color }: Message,
  values: Values,
): Promise<boolean> {
  const isPipeline = isRecord(event) && event['object_kind'] === 'pipeline'
  if (isPipeline && values['notify_only_broken_pipelines'] === true && color !== 'danger') return false
  const wanted =
    values['branches_to_be_notified'] ?? (values['notify_only_default_branch'] === true ? 'default' : 'all')
  if (branch === undefined || wanted === 'all') return true
  const project = await database
    .selectFrom('project')
    .select('default_branch')
    .where('id', '=', projectId)
    .executeTakeFirst()
  const isDefault = project?.default_branch === branch
  if (wanted === 'default') return isDefault
  const isProtected = await matchesProtected(database, projectId, branch)
  return wanted === 'protected' ? isProtected : isDefault || isProtected
}

async function matchesProtected(database: Database, projectId: number, branch: string): Promise<boolean> {
  const rules = await database
    .selectFrom('protected_ref')
    .select('name')
    .where('project_id', '=', projectId)
    .where('kind', '=', 'branch')
    .execute()
  return rules.some(({ name }) => matchesRefPattern(name, branch))
}
