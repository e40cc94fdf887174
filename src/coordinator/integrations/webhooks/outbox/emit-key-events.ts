import type { Selectable } from 'kysely'

import { isoSeconds } from '../../../../lib/iso-seconds.js'
import type { SshKeyTable } from '../../../database/tables/users.js'
import type { Transaction } from '../../../database/transaction.js'
import { emitSystemEvents } from './emit-system-events.js'

type Key = Pick<Selectable<SshKeyTable>, 'id' | 'user_id' | 'key' | 'created_at'>

/** Emits events for SSH keys of one existing user to the system hooks (API, K6). */
export function emitKeyEvents(
  tx: Transaction,
  event_name: 'key_create' | 'key_destroy',
  keys: readonly Key[],
): Promise<void> {
  return emitSystemEvents(tx, async () => {
    const [first] = keys
    if (!first) return []
    const { username } = await tx
      .selectFrom('user')
      .select('username')
      .where('id', '=', first.user_id)
      .executeTakeFirstOrThrow()
    // Keys never change.
    return keys.map(({ id, key, created_at }) => ({
      event_name,
      created_at: isoSeconds(created_at),
      updated_at: isoSeconds(created_at),
      username,
      key,
      id,
    }))
  })
}
