import { MINUTE } from '../../../lib/time-units.js'
import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import { accessIn, type OperationDeps } from '../../http/handle-operation.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { kindOfSlug } from '../../integrations/services/kinds.js'
import type { ChatName, ChatNameRequest, SlashCommand } from './schema.js'
import {
  type ChatNameRow,
  type ChatUser,
  findCode,
  insertChatName,
  integrationsOf,
  saveCode,
  takeCode,
} from './store.js'

/** How long a code is valid, in milliseconds. */
const VALID_FOR = 10 * MINUTE

/** A code with which a signed-in user takes the place of the chat user. Only its digest is stored. */
export async function newCode(
  database: Database,
  { integrationId, teamId, chatId }: ChatUser,
  { team_domain, user_name }: SlashCommand,
): Promise<string> {
  const code = newToken()
  await inTransaction(database, (tx) =>
    saveCode(tx, {
      integration_id: integrationId,
      digest: tokenDigest(code),
      team_id: teamId,
      team_domain: team_domain ?? null,
      chat_id: chatId,
      chat_name: user_name ?? null,
      expires_at: Date.now() + VALID_FOR,
    }),
  )
  return code
}

/** Throws 404 for a code that is unknown, used or expired, and 409 for a chat user who belongs to a user. */
export function addChatName(database: Database, userId: number, code: string): Promise<ChatNameRow> {
  return inTransaction(database, async (tx) => {
    const found = await takeCode(tx, tokenDigest(code))
    if (!found) throw notFound('Code')
    const { integration_id, team_id, team_domain, chat_id, chat_name } = found
    const named = { integration_id, team_id, team_domain, chat_id, chat_name }
    const row = await insertChatName(tx, { ...named, user_id: userId, created_at: Date.now() })
    if (!row) throw apiError('chat_user_taken')
    return row
  })
}

export interface RequestDeps extends Pick<OperationDeps, 'findProject' | 'projectAccessOf'> {
  database: Database
}

/** Who asks to be connected with a code. Throws 404 for a code that is unknown, used or expired. */
export async function describeRequest(deps: RequestDeps, user: User, code: string): Promise<ChatNameRequest> {
  const { database } = deps
  const found = await findCode(database, tokenDigest(code))
  const of = found && (await integrationsOf(database, [found.integration_id])).get(found.integration_id)
  if (!found || !of) throw notFound('Code')
  const { team_id, team_domain, chat_id, chat_name, expires_at } = found
  return {
    slug: of.slug,
    title: kindOfSlug(of.slug)?.title ?? of.slug,
    project_path: await visiblePath(deps, user, of.project_id),
    team_id,
    team_domain,
    chat_id,
    chat_name,
    expires_at: isoTime(expires_at),
  }
}

async function visiblePath(deps: RequestDeps, user: User, id: number): Promise<string | null> {
  const project = await deps.findProject(String(id))
  if (!project || (await accessIn(deps, user, project)).accessLevel === 0) return null
  return project.full_path
}

export async function presentChatNames(
  database: Database,
  rows: readonly ChatNameRow[],
): Promise<ChatName[]> {
  const ids = rows.map(({ integration_id }) => integration_id)
  const integrations = await integrationsOf(database, ids)
  return rows.flatMap(({ id, integration_id, team_id, team_domain, chat_id, chat_name, ...row }) => {
    const of = integrations.get(integration_id)
    if (!of) return []
    const last_used_at = row.last_used_at === null ? null : isoTime(row.last_used_at)
    const times = { last_used_at, created_at: isoTime(row.created_at) }
    return [{ id, ...of, team_id, team_domain, chat_id, chat_name, ...times }]
  })
}
