import type { Selectable } from 'kysely'

import { isoSeconds } from '../../../../lib/iso-seconds.js'
import type { NamespaceTable } from '../../../database/tables/projects.js'
import type { Transaction } from '../../../database/transaction.js'
import { emitSystemEvent } from './emit-system-events.js'
import { emitToGroupHooks } from './emit-to-group-hooks.js'

type Group = Pick<
  Selectable<NamespaceTable>,
  'id' | 'name' | 'path' | 'full_path' | 'parent_id' | 'created_at'
>

export type GroupEvent =
  | { name: 'group_create' | 'group_destroy' }
  | { name: 'group_rename'; before: Pick<Group, 'path' | 'full_path'> }

/**
 * Emits a group event when `tx` commits: to the system hooks (API, K6), and the creation or deletion of a
 * subgroup to the hooks of the groups above it. `group`: after the change, or before its deletion.
 */
export async function emitGroupEvents(tx: Transaction, event: GroupEvent, group: Group): Promise<void> {
  if (event.name !== 'group_rename') await emitSubgroupEvent(tx, event.name, group)
  await emitSystemEvent(tx, async () => ({
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

const SUBGROUP_EVENTS = { group_create: 'subgroup_create', group_destroy: 'subgroup_destroy' } as const

async function emitSubgroupEvent(
  tx: Transaction,
  name: keyof typeof SUBGROUP_EVENTS,
  group: Group,
): Promise<void> {
  const { parent_id: parentId } = group
  if (parentId === null) return
  await emitToGroupHooks(tx, 'subgroup_events', [parentId], async () => {
    const parent = await tx
      .selectFrom('namespace')
      .select(['id', 'name', 'path', 'full_path'])
      .where('id', '=', parentId)
      .executeTakeFirstOrThrow()
    return [{ groupId: parentId, facts: subgroupPayload(SUBGROUP_EVENTS[name], group, parent) }]
  })
}

/** Payload of a subgroup event (API, K3). */
export function subgroupPayload(
  event_name: 'subgroup_create' | 'subgroup_destroy',
  group: Group,
  parent: Pick<Group, 'id' | 'name' | 'path' | 'full_path'>,
): object {
  return {
    created_at: isoSeconds(group.created_at),
    updated_at: isoSeconds(Date.now()),
    event_name,
    name: group.name,
    path: group.path,
    full_path: group.full_path,
    group_id: group.id,
    parent_group_id: parent.id,
    parent_name: parent.name,
    parent_path: parent.path,
    parent_full_path: parent.full_path,
  }
}
