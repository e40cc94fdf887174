import type { Insertable } from 'kysely'

import type { ResourceEventTable } from '../../database/tables/resource-events.js'
import type { Transaction } from '../../database/transaction.js'
import { insertResourceEvents, type Resource } from './store.js'

/** An issue or a merge request at one time. */
export interface ResourceState {
  state: string
  milestone_id: number | null
  labels: readonly { id: number }[]
}

/** Records the changes of labels, milestone and state; without `before`, those of a new object. */
export async function recordChanges(
  tx: Transaction,
  resource: Resource,
  userId: number,
  before: ResourceState | undefined,
  after: ResourceState,
): Promise<void> {
  const common = { issue_id: null, merge_request_id: null, ...resource, user_id: userId }
  const none = { label_id: null, milestone_id: null, created_at: Date.now() }
  await insertResourceEvents(
    tx,
    changes(before, after).map((change) => ({ ...common, ...none, ...change })),
  )
}

type Change = Pick<Insertable<ResourceEventTable>, 'kind' | 'action' | 'label_id' | 'milestone_id'>

function changes(before: ResourceState | undefined, after: ResourceState): Change[] {
  return [
    ...labelChanges(before?.labels ?? [], after.labels),
    ...milestoneChanges(before?.milestone_id ?? null, after.milestone_id),
    ...(before ? stateChanges(before.state, after.state) : []),
  ]
}

function labelChanges(before: ResourceState['labels'], after: ResourceState['labels']): Change[] {
  const [was, is] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))]
  const event = (label_id: number, action: 'add' | 'remove'): Change => ({
    kind: 'label',
    action,
    label_id,
    milestone_id: null,
  })
  return [
    ...[...is].filter((id) => !was.has(id)).map((id) => event(id, 'add')),
    ...[...was].filter((id) => !is.has(id)).map((id) => event(id, 'remove')),
  ]
}

function milestoneChanges(before: number | null, after: number | null): Change[] {
  if (before === after) return []
  const event = (milestone_id: number, action: 'add' | 'remove'): Change => ({
    kind: 'milestone',
    action,
    label_id: null,
    milestone_id,
  })
  return [
    ...(before === null ? [] : [event(before, 'remove')]),
    ...(after === null ? [] : [event(after, 'add')]),
  ]
}

/** A merge request is `locked` only while it is merged. */
function stateChanges(before: string, after: string): Change[] {
  const action = ACTIONS[after]
  if (before === after || action === undefined || (before === 'locked' && after === 'opened')) return []
  return [{ kind: 'state', action, label_id: null, milestone_id: null }]
}

const ACTIONS: Record<string, 'closed' | 'reopened' | 'merged'> = {
  closed: 'closed',
  opened: 'reopened',
  merged: 'merged',
}
