import type { ProcessMode } from '../../../../database/tables/resource-groups.js'
import { inTransaction } from '../../../../database/transaction.js'
import type { EngineDeps } from '../../engine-deps.js'
import { settleAtTheEnd } from './settle-resource-groups.js'
import type { ResourceGroupRow } from './store.js'

/** Decides at once by the new mode who gets the resource if it is free; the group as it is then. */
export function setProcessMode(
  deps: EngineDeps,
  group: ResourceGroupRow,
  mode: ProcessMode,
): Promise<ResourceGroupRow | undefined> {
  return inTransaction(deps.database, (tx) => {
    settleAtTheEnd(deps, tx, [group.id])
    return tx
      .updateTable('resource_group')
      .set({ process_mode: mode, updated_at: Date.now() })
      .where('id', '=', group.id)
      .returningAll()
      .executeTakeFirst()
  })
}
