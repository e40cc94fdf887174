import { chunks } from '../../../../lib/chunks.js'
import type { GroupTrigger } from '../../../database/tables/webhooks.js'
import type { Transaction } from '../../../database/transaction.js'
import { type HookOfGroup, hooksOfGroups } from '../hook-store.js'
import { storeEvents } from './outbox.js'

/** An event of a group; `facts` is the payload. */
export interface GroupHookEvent {
  groupId: number
  facts: object
}

/** Maximum number of IDs per statement in both databases. */
const IDS_PER_QUERY = 500

/**
 * Emits events to the webhooks of their groups and of the groups above these when `tx` commits. `describe`
 * builds the payloads and is not called without subscribed hooks.
 */
export async function emitToGroupHooks(
  tx: Transaction,
  trigger: GroupTrigger,
  groupIds: readonly number[],
  describe: () => Promise<GroupHookEvent[]>,
): Promise<void> {
  const hooks: HookOfGroup[] = []
  for (const some of chunks([...new Set(groupIds)], IDS_PER_QUERY)) {
    hooks.push(...(await hooksOfGroups(tx, some)).filter((hook) => hook[trigger]))
  }
  if (hooks.length === 0) return
  const events = (await describe()).map(({ groupId, facts }) => ({
    projectId: null,
    trigger,
    kind: 'plain' as const,
    facts,
    hooks: hooks.filter(({ of_group }) => of_group === groupId),
  }))
  await storeEvents(tx, events)
}
