import type { Selectable } from 'kysely'

import type { MilestoneTable } from '../../../database/tables/milestones.js'
import type { Transaction } from '../../../database/transaction.js'
import { hooksOfGroups, hooksOfProject } from '../hook-store.js'
import { storeEvents } from './outbox.js'

/** A milestone after its creation or change of state, or before its deletion. */
export interface MilestoneFacts {
  milestone: Selectable<MilestoneTable>
  action: 'create' | 'close' | 'reopen' | 'delete'
}

/** Emits a milestone event to the hooks of its project or group when `tx` commits (API, K3). */
export async function emitMilestoneEvent(tx: Transaction, facts: MilestoneFacts): Promise<void> {
  const trigger = 'milestone_events'
  const { project_id: projectId, group_id } = facts.milestone
  const listening = projectId === null ? hooksOfGroups(tx, [group_id ?? 0]) : hooksOfProject(tx, projectId)
  const hooks = (await listening).filter((hook) => hook[trigger])
  if (hooks.length === 0) return
  await storeEvents(tx, [{ projectId, trigger, kind: 'milestone', facts, hooks }])
}
