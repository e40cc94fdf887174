import { Type } from 'typebox'

import type { Transaction } from '../../database/transaction.js'
import { milestonesForProject } from '../../hosting/milestone-store.js'

/** Fields that the records of issues and merge requests have in common in archives. */

/** Leaves numbers for the issues and merge requests that come later: the columns have 32 bits. */
export const MAX_IID = 2_000_000_000

export const Seconds = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const LabelNames = Type.Array(Type.String(), { maxItems: 2000 })

/** ID of a milestone of the project or of a group above it; those of groups are not in the archive. */
export async function milestoneTitled(
  tx: Transaction,
  projectId: number,
  title: string | null | undefined,
): Promise<number | null> {
  if (title === undefined || title === null) return null
  const [milestone] = await milestonesForProject(tx, projectId, { titles: [title] })
  return milestone?.id ?? null
}
