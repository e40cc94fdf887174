import { lockRow } from '../../database/lock-row.js'
import { inTransaction } from '../../database/transaction.js'
import { syncGroups } from '../../sessions/providers/sync-groups.js'
import type { ScimDeps } from '../scim-deps.js'
import { listChanged, takeMark } from '../stores/group-store.js'

/** Users whose memberships a request changes; the periodic task does the rest, so that no request takes minutes. */
const USERS_PER_REQUEST = 200
/** Users whose memberships the periodic task reads at once. */
const PAGE = 1000

type Deps = Pick<ScimDeps, 'database' | 'providers'>

/** Changes the memberships of users whose SCIM groups have changed, each in a transaction of its own. */
export async function applyGroupChanges(deps: Deps): Promise<void> {
  for (const each of await listChanged(deps.database, USERS_PER_REQUEST)) await applyTo(deps, each)
}

/** Periodic task: changes the memberships that requests have left. */
export async function finishGroupChanges(deps: Deps, signal: AbortSignal): Promise<void> {
  let page = await listChanged(deps.database, PAGE)
  while (page.length > 0) {
    for (const each of page) {
      if (signal.aborted) return
      await applyTo(deps, each)
    }
    page = await listChanged(deps.database, PAGE)
  }
}

/** Memberships of a provider that the settings no longer have stay as they are. */
async function applyTo(
  { database, providers }: Deps,
  { user_id, provider: name }: { user_id: number; provider: string },
): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockRow(tx, 'user', user_id)
    const provider = providers.find(name)
    if ((await takeMark(tx, user_id)) && provider) await syncGroups(tx, user_id, provider, { groups: [] })
  })
}
