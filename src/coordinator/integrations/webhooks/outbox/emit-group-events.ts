import type { Selectable } from 'kysely'

import { isoSeconds } from '../../../../lib/iso-seconds.js'
import type { NamespaceTable } from '../../../database/tables/projects.js'
import type { Transaction } from '../../../database/transaction.js'
import { emitSystemEvent } from './emit-system-events.js'

type Group = Pick<Selectable<NamespaceTable>, 'id' | 'name' | 'path' | 'full_path' | 'created_at'>

export type GroupEvent =
  | { name: 'group_create' | 'group_destroy' }
  | { name: 'group_rename'; before: Pick<Group, 'path' | 'full_path'> }

/** Emits a group event to the system hooks: the group after the change, or before its deletion (API, K6). */
export function emitGroupEvents(tx: Transaction, event: GroupEvent, group: Group): Promise<void> {
  return emitSystemEvent(tx, async () => ({
    event_name: event.name,
    created_at: isoSeconds(group.created_at),
    updated_at: isoSeconds(Date.now()),
    name: group.name,
    path: group.path,
    ...('before' in event && { full_path: group.full_path }),
    group_id: group.id,
    ...('before' in event && { old_path: event.before.path, old_full_path: event.before.full_path }),
  }))
}
