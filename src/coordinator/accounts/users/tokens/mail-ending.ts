import type { Database } from '../../../database/connect.js'
import { markReminded } from '../../../database/stores/access-token-store.js'
import { inTransaction } from '../../../database/transaction.js'
import { mailContext } from '../../../integrations/mail/mail-context.js'
import { reachableUsers } from '../../../integrations/mail/recipient.js'
import { mailEndingTokens } from '../links/account-mails.js'

const WEEK = 7 * 24 * 3600 * 1000
/** Tokens per run; the next one has the rest. */
const MOST_TOKENS = 500

/**
 * Periodic task: reminds people of their access tokens that end within a week, of each once. Without mails nobody counts as
 * reminded.
 */
export async function mailEndingOfTokens(database: Database): Promise<void> {
  if (!mailContext(database)) return
  const now = Date.now()
  const tokens = await database
    .selectFrom('personal_access_token')
    .select(['id', 'user_id', 'name', 'expires_at'])
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + WEEK)
    .where('revoked', '=', false)
    .where('reminded', '=', false)
    .where('impersonation', '=', false)
    .orderBy('expires_at')
    .limit(MOST_TOKENS)
    .execute()
  const users = new Map(
    (await reachableUsers(database, [...new Set(tokens.map(({ user_id }) => user_id))])).map((user) => [
      user.id,
      user,
    ]),
  )
  for (const userId of new Set(tokens.map(({ user_id }) => user_id))) {
    const own = tokens.filter(({ user_id }) => user_id === userId)
    await inTransaction(database, async (tx) => {
      const ids = await markReminded(
        tx,
        own.map(({ id }) => id),
      )
      const user = users.get(userId)
      const open = own.filter(({ id }) => ids.includes(id))
      if (user && open.length > 0) await mailEndingTokens(tx, user, open)
    })
  }
}
