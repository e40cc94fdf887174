import type { Selectable } from 'kysely'

import type { FeatureFlagTable } from '../../../database/tables/feature-flags.js'
import type { Transaction } from '../../../database/transaction.js'
import { hooksOfProject } from '../hook-store.js'
import { storeEvents } from './outbox.js'

/** A feature flag after it was turned on or off. */
export interface FeatureFlagFacts {
  flag: Selectable<FeatureFlagTable>
  userId: number
}

/** Emits a feature flag event to the hooks of the project when `tx` commits (API, K3). */
export async function emitFeatureFlagEvent(tx: Transaction, facts: FeatureFlagFacts): Promise<void> {
  const trigger = 'feature_flag_events'
  const projectId = facts.flag.project_id
  const hooks = (await hooksOfProject(tx, projectId)).filter((hook) => hook[trigger])
  if (hooks.length === 0) return
  await storeEvents(tx, [{ projectId, trigger, kind: 'feature_flag', facts, hooks }])
}
