import type { Database } from '../../database/connect.js'

/** Where a user subscribes to a label: a group label in one of the projects of the group, or else null. */
export interface SubscriptionScope {
  userId: number
  projectId: number | null
}

/** IDs of those labels to which the user subscribed at this place. */
export async function subscribedLabels(
  database: Database,
  { userId, projectId }: SubscriptionScope,
  labelIds: readonly number[],
): Promise<Set<number>> {
  if (labelIds.length === 0) return new Set()
  const rows = await database
    .selectFrom('label_subscription')
    .innerJoin('label', 'label.id', 'label_subscription.label_id')
    .select('label_id')
    .where('user_id', '=', userId)
    .where('label_id', 'in', labelIds)
    // The subscription to a label of the project itself names no project; that to a group label in the whole group
    // is another than that in the project, which is what the project can end.
    .where((eb) =>
      projectId === null
        ? eb('label_subscription.project_id', 'is', null)
        : eb.or([
            eb('label_subscription.project_id', '=', projectId),
            eb('label.project_id', '=', projectId),
          ]),
    )
    .execute()
  return new Set(rows.map(({ label_id }) => label_id))
}

/** Whether the user had not subscribed at this place. */
export async function addSubscription(
  database: Database,
  labelId: number,
  { userId, projectId }: SubscriptionScope,
): Promise<boolean> {
  const added = await database
    .insertInto('label_subscription')
    .values({ label_id: labelId, user_id: userId, project_id: projectId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** Whether the user had subscribed at this place. */
export async function removeSubscription(
  database: Database,
  labelId: number,
  { userId, projectId }: SubscriptionScope,
): Promise<boolean> {
  const removed = await database
    .deleteFrom('label_subscription')
    .where('label_id', '=', labelId)
    .where('user_id', '=', userId)
    .where('project_id', projectId === null ? 'is' : '=', projectId)
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}
