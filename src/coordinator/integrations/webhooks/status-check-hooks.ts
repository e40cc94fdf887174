import type { SecretBox } from '../../crypto/secret-box.js'
import { HOOK_TRIGGERS, type HookTrigger } from '../../database/tables/webhooks.js'
import type { Transaction } from '../../database/transaction.js'
import { HEALTHY } from './hook-health.js'
import { findHookOfStatusCheck, insertHook, updateHook } from './hook-store.js'

/**
 * Gives the webhook of a status check its name and this address, which was checked; undefined = the address stays. Pending
 * deliveries go to the new address. A webhook that rests, because its service has failed, is called again.
 */
export async function setHookOfStatusCheck(
  tx: Transaction,
  secrets: Pick<SecretBox, 'encrypt'>,
  { id, project_id, name }: { id: number; project_id: number; name: string },
  url: string | undefined,
): Promise<void> {
  const now = Date.now()
  const address = url === undefined ? {} : { url_encrypted: secrets.encrypt(url) }
  const hook = await findHookOfStatusCheck(tx, id)
  if (hook) {
    await updateHook(tx, hook.id, { ...HEALTHY, ...address, name, updated_at: now })
    return
  }
  if (url === undefined) return
  const flags = HOOK_TRIGGERS.map((trigger) => [trigger, trigger === 'merge_requests_events'])
  await insertHook(tx, {
    ...(Object.fromEntries(flags) as Record<HookTrigger, boolean>),
    project_id,
    status_check_id: id,
    name,
    url_encrypted: secrets.encrypt(url),
    enable_ssl_verification: true,
    branch_filter_strategy: 'wildcard',
    created_at: now,
    updated_at: now,
  })
}
