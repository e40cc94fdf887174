import { type Static, Type } from 'typebox'

import { openToken, sealToken } from '../../crypto/sealed-token.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { findIssueById, setSubscription } from '../stores/issue-store.js'
import { findMergeRequestById, setMergeRequestSubscription } from '../stores/merge-request-store.js'

/** Whose mails about what a link ends. */
const Subscription = Type.Object({
  userId: Type.Integer(),
  kind: Type.Union([Type.Literal('issue'), Type.Literal('merge_request')]),
  id: Type.Integer(),
})
export type Subscription = Static<typeof Subscription>

export const UNSUBSCRIBE_PATH = '/-/sent_notifications'

/** A link that ends the mails about one issue or merge request, without a sign-in. It does not expire. */
export function unsubscribeUrl(
  { externalUrl, secrets }: { externalUrl: string; secrets: SecretBox },
  subscription: Subscription,
): string {
  const key = sealToken(secrets, subscription)
  return `${externalUrl}${UNSUBSCRIBE_PATH}/${key}/unsubscribe`
}

/** Undefined for a key that this instance has not written. */
export function readUnsubscribeKey(secrets: SecretBox, key: string): Subscription | undefined {
  return openToken(secrets, Subscription, key)
}

/** What the subscription is about; undefined if it was deleted. */
export async function findSubscribed(
  database: Database,
  { kind, id }: Subscription,
): Promise<{ name: string; reference: string } | undefined> {
  if (kind === 'issue') {
    const row = await findIssueById(database, id)
    return row && { name: 'issue', reference: `#${row.iid}` }
  }
  const row = await findMergeRequestById(database, id)
  return row && { name: 'merge request', reference: `!${row.iid}` }
}

export async function unsubscribe(database: Database, { userId, kind, id }: Subscription): Promise<void> {
  await inTransaction(database, async (tx) => {
    if (kind === 'issue') {
      await setSubscription(tx, { issue_id: id, user_id: userId, subscribed: false })
    } else {
      await setMergeRequestSubscription(tx, { merge_request_id: id, user_id: userId, subscribed: false })
    }
  })
}
