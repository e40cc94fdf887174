import type { Selectable } from 'kysely'

import type { ReleaseLinkTable, ReleaseTable } from '../../../database/tables/releases.js'
import type { Transaction } from '../../../database/transaction.js'
import { hooksOfProject } from '../hook-store.js'
import { storeEvents } from './outbox.js'

/** A release after its creation or change, or before its deletion. */
export interface ReleaseFacts {
  release: Selectable<ReleaseTable>
  links: Selectable<ReleaseLinkTable>[]
  action: 'create' | 'update' | 'delete'
}

/** Emits a release event to the hooks of the project when `tx` commits. */
export async function emitReleaseEvent(tx: Transaction, facts: ReleaseFacts): Promise<void> {
  const projectId = facts.release.project_id
  const hooks = (await hooksOfProject(tx, projectId)).filter(({ releases_events }) => releases_events)
  if (hooks.length === 0) return
  await storeEvents(tx, [{ projectId, trigger: 'releases_events', kind: 'release', facts, hooks }])
}
