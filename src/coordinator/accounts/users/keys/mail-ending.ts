import { WEEK } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import { mailContext } from '../../../integrations/mail/mail-context.js'
import { reachableUsers } from '../../../integrations/mail/recipient.js'
import { mailEndingKeys } from '../links/account-mails.js'

/** Keys per run; the next one has the rest. */
const MAX_KEYS = 500

/**
 * Periodic task: reminds people of their SSH keys that end within a week, of each once. If no mails are sent, no user
 * counts as reminded.
 */
export async function mailEndingOfKeys(database: Database): Promise<void> {
  if (!mailContext(database)) return
  const now = Date.now()
  const keys = await database
    .selectFrom('ssh_key')
    .select(['id', 'user_id'])
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + WEEK)
    .where('reminded', '=', false)
    .orderBy('expires_at')
    .limit(MAX_KEYS)
    .execute()
  for (const userId of new Set(keys.map(({ user_id }) => user_id))) {
    const ids = keys.filter(({ user_id }) => user_id === userId).map(({ id }) => id)
    const [user] = await reachableUsers(database, [userId])
    await inTransaction(database, async (tx) => {
      const open = await tx
        .updateTable('ssh_key')
        .set({ reminded: true })
        .where('id', 'in', ids)
        .where('reminded', '=', false)
        .returning(['title', 'fingerprint_sha256', 'expires_at'])
        .execute()
      if (user && open.length > 0) await mailEndingKeys(tx, user, open)
    })
  }
}
