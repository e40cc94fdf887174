import type { Database } from '../../database/connect.js'
import { milestonesById } from '../../http/presenters/present-milestone.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import type { ResourceEventRow } from '../../integrations/resource-event-log/store.js'
import { type LabelDetails, labelDetails } from '../labels/label-details.js'
import { labelsById } from '../stores/label-store.js'
import type { LabelEvent, MilestoneEvent, StateEvent } from './schema.js'

export interface PresentDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Public records of events of one kind, in the order of the rows. */
export async function presentEvents(
  { database, externalUrl }: PresentDeps,
  rows: readonly ResourceEventRow[],
): Promise<(LabelEvent | StateEvent | MilestoneEvent)[]> {
  const of = <Key extends keyof ResourceEventRow>(key: Key) => rows.map((row) => row[key])
  const users = await usersById(database, of('user_id'))
  const labels = await labelsOf(database, of('label_id'))
  const milestones = await milestonesById(database, externalUrl, of('milestone_id'))
  return rows.map((row) => {
    const { id, issue_id, merge_request_id, user_id, created_at, kind, action } = row
    const user = users.get(user_id)
    const common = {
      id,
      user: user ? presentUser(user, externalUrl) : null,
      created_at: isoTime(created_at),
      resource_type: issue_id === null ? ('MergeRequest' as const) : ('Issue' as const),
      resource_id: issue_id ?? merge_request_id ?? 0,
    }
    switch (kind) {
      case 'state':
        return { ...common, state: action as StateEvent['state'] }
      case 'label': {
        return {
          ...common,
          label: labels.get(row.label_id ?? 0) ?? null,
          action: action as LabelEvent['action'],
        }
      }
      case 'milestone': {
        const milestone = milestones.get(row.milestone_id ?? 0) ?? null
        return { ...common, milestone, action: action as MilestoneEvent['action'] }
      }
    }
  })
}

async function labelsOf(
  database: Database,
  ids: readonly (number | null)[],
): Promise<Map<number, LabelDetails>> {
  const labels = await labelsById(database, ids)
  const described = [...labels].map(async ([id, label]) => [id, await labelDetails(label)] as const)
  return new Map(await Promise.all(described))
}
