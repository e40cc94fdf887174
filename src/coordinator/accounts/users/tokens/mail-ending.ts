import { WEEK } from '../../../../lib/time-units.js'
import { MAINTAINER, OWNER } from '../../../access/access-levels.js'
import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { markReminded } from '../../../database/stores/access-token-store.js'
import { inTransaction } from '../../../database/transaction.js'
import { mailContext } from '../../../integrations/mail/mail-context.js'
import { reachableUsers } from '../../../integrations/mail/recipient.js'
import { mailEndingBotTokens, mailEndingTokens, type TokenOwner } from '../links/account-mails.js'

/** Tokens per run; the next one has the rest. */
const MAX_TOKENS = 500

interface EndingToken {
  id: number
  user_id: number
  name: string
  expires_at: number | null
  /** Of the bot whose token it is. */
  project_id: number | null
  namespace_id: number | null
}

/**
 * Periodic task: reminds people of access tokens that end within a week, of each once: of their own, and of those of
 * projects and groups that they manage. If no mails are sent, no user counts as reminded.
 */
export async function mailEndingOfTokens(database: Database): Promise<void> {
  if (!mailContext(database)) return
  for (const [owner, tokens] of byOwner(await endingTokens(database))) {
    const place = await findOwner(database, tokens)
    const users = await reachableUsers(database, place ? await managersOf(database, place) : [owner])
    await inTransaction(database, async (tx) => {
      const ids = await markReminded(
        tx,
        tokens.map(({ id }) => id),
      )
      const open = tokens.filter(({ id }) => ids.includes(id))
      if (open.length === 0) return
      for (const user of users) {
        if (place) await mailEndingBotTokens(tx, user, place, open)
        else await mailEndingTokens(tx, user, open)
      }
    })
  }
}

function endingTokens(database: Database): Promise<EndingToken[]> {
  const now = Date.now()
  return database
    .selectFrom('personal_access_token')
    .leftJoin('bot_user', 'bot_user.user_id', 'personal_access_token.user_id')
    .select([
      'personal_access_token.id',
      'personal_access_token.user_id',
      'name',
      'expires_at',
      'bot_user.project_id',
      'bot_user.namespace_id',
    ])
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + WEEK)
    .where('revoked', '=', false)
    .where('reminded', '=', false)
    .where('impersonation', '=', false)
    .orderBy('expires_at')
    .limit(MAX_TOKENS)
    .execute()
}

/** The tokens of one project or group form one mail, although each has a bot of its own. By the first of these users. */
function byOwner(tokens: readonly EndingToken[]): Map<number, EndingToken[]> {
  const groups = new Map<string, EndingToken[]>()
  for (const token of tokens) {
    const { project_id, namespace_id, user_id } = token
    const isOfBot = project_id !== null || namespace_id !== null
    const key = isOfBot ? `place ${project_id} ${namespace_id}` : `user ${user_id}`
    groups.set(key, [...(groups.get(key) ?? []), token])
  }
  return new Map([...groups.values()].map((own) => [own[0]?.user_id ?? 0, own]))
}

/** Undefined for tokens of a person. */
async function findOwner(database: Database, [token]: EndingToken[]): Promise<TokenOwner | undefined> {
  const { project_id = null, namespace_id = null } = token ?? {}
  const rows =
    project_id !== null
      ? database
          .selectFrom('project')
          .select(['id', 'full_path', 'namespace_id'])
          .where('id', '=', project_id)
      : database
          .selectFrom('namespace')
          .select(['id', 'full_path', 'id as namespace_id'])
          .where('id', '=', namespace_id ?? 0)
  const row = await rows.executeTakeFirst()
  return row && { kind: project_id === null ? 'group' : 'project', ...row }
}

/** The maintainers of a project and the owners of a group, inherited ones included. */
async function managersOf(database: Database, { kind, id, namespace_id }: TokenOwner): Promise<User['id'][]> {
  const rows = await database
    .selectFrom('member')
    .select('user_id')
    .distinct()
    .where('access_level', '>=', kind === 'project' ? MAINTAINER : OWNER)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb(
          'group_id',
          'in',
          selectFrom('group_tree').select('ancestor_id').where('group_id', '=', namespace_id),
        ),
        ...(kind === 'project' ? [eb('project_id', '=', id)] : []),
      ]),
    )
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', Date.now())]))
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}
