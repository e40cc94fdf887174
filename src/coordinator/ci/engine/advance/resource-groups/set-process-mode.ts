import type { ProcessMode } from '../../../../database/tables/resource-groups.js'
import { inTransaction } from '../../../../database/transaction.js'
import type { EngineDeps } from '../../engine-deps.js'
import { assignResourcesBeforeCommit } from './assign-resource-groups.js'
import type { ResourceGroupRow } from './store.js'

/** Changes the mode, and immediately assigns a free resource by the new mode. Returns the updated group. */
export function setProcessMode(
  deps: EngineDeps,
  group: ResourceGroupRow,
  mode: ProcessMode,
): Promise<ResourceGroupRow | undefined> {
  return inTransaction(deps.database, (tx) => {
    assignResourcesBeforeCommit(deps, tx, [group.id])
    return tx
      .updateTable('resource_group')
      .set({ process_mode: mode, updated_at: Date.now() })
      .where('id', '=', group.id)
      .returningAll()
      .executeTakeFirst()
  })
}
