import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { MailAddress } from '../../integrations/mail/mail-content.js'
import { possibleWatchers, type Preference, preferencesIn } from '../../integrations/mail/preferences.js'
import { mailAddressOf, reachableUsers } from '../../integrations/mail/recipient.js'

/** Why somebody gets a mail, the most important reason first. */
export const REASONS = {
  assigned: 'you are assigned',
  review_requested: 'you are asked for a review',
  mentioned: 'you are mentioned',
  author: 'you are the author',
  participating: 'you take part',
  subscribed: 'you are subscribed',
  label: 'you are subscribed to a label',
  watching: 'you watch the project',
} as const

export type Reason = keyof typeof REASONS

export interface Recipient {
  user: User
  to: MailAddress
  reason: Reason
}

export interface Audience {
  projectId: number
  /** Name of the event in notification settings of the level `custom`; null = none. */
  event: string | null
  /** Who did it, and gets no mail about it; null = nobody. */
  actorId: number | null
  /** IDs of the users who are involved, by what they are. */
  involved: ReadonlyMap<number, Reason>
  /** What users have chosen for the issue or merge request. */
  subscriptions: ReadonlyMap<number, boolean>
  /** Whether those who watch the project get it, who are not involved. */
  forWatchers: boolean
  isSeenBy: (database: Database, user: User) => Promise<boolean>
}

/** Those who get a mail by their notification settings, each once. */
export async function findRecipients(database: Database, audience: Audience): Promise<Recipient[]> {
  const { projectId, actorId, involved, subscriptions, forWatchers } = audience
  const subscribers = [...subscriptions].filter(([, isSubscribed]) => isSubscribed).map(([id]) => id)
  const watchers = forWatchers ? await possibleWatchers(database, projectId) : []
  const ids = [...new Set([...involved.keys(), ...subscribers, ...watchers])].filter((id) => id !== actorId)
  const preferences = await preferencesIn(database, projectId, ids)
  const recipients: Recipient[] = []
  for (const user of await reachableUsers(database, ids)) {
    const preference = preferences.get(user.id)
    const reason = preference && reasonFor(audience, user.id, preference)
    if (!reason || !(await audience.isSeenBy(database, user))) continue
    recipients.push({ user, reason, to: await mailAddressOf(database, user, preference) })
  }
  return recipients
}

/** Why the user gets the mail; undefined if they do not. */
function reasonFor(
  { event, involved, subscriptions, forWatchers }: Audience,
  userId: number,
  { level, events }: Preference,
): Reason | undefined {
  const isSubscribed = subscriptions.get(userId)
  const role = involved.get(userId)
  // Who has unsubscribed is reached by mentions alone.
  if (isSubscribed === false) return role === 'mentioned' && level !== 'disabled' ? role : undefined
  if (isSubscribed) return role ?? 'subscribed'
  if (role === 'label') return level === 'disabled' ? undefined : role
  const isChosen = level === 'custom' && event !== null && events[event] === true
  switch (level) {
    case 'disabled':
      return undefined
    case 'mention':
      return role === 'mentioned' ? role : undefined
    case 'participating':
      return role
    case 'watch':
      return role ?? (forWatchers ? 'watching' : undefined)
    case 'custom':
      return role ?? (isChosen ? 'watching' : undefined)
  }
}
