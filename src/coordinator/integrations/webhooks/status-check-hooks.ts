import type { SecretBox } from '../../crypto/secret-box.js'
import { HOOK_TRIGGERS, type HookTrigger } from '../../database/tables/webhooks.js'
import type { Transaction } from '../../database/transaction.js'
import { HEALTHY } from './hook-health.js'
import { findHookOfStatusCheck, insertHook, updateHook } from './hook-store.js'

/**
 * Gives the webhook of a status check this address, which was checked. Pending deliveries to another one go to the new
 * address; a webhook that rests, because its service has failed, is called again.
 */
export async function setHookOfStatusCheck(
  tx: Transaction,
  secrets: Pick<SecretBox, 'encrypt'>,
  { id, project_id }: { id: number; project_id: number },
  url: string,
): Promise<void> {
  const now = Date.now()
  const hook = await findHookOfStatusCheck(tx, id)
  const values = { url_encrypted: secrets.encrypt(url), updated_at: now, ...HEALTHY }
  if (hook) {
    await updateHook(tx, hook.id, values)
    return
  }
  const flags = HOOK_TRIGGERS.map((name) => [name, name === 'merge_requests_events'])
  await insertHook(tx, {
    ...(Object.fromEntries(flags) as Record<HookTrigger, boolean>),
    project_id,
    status_check_id: id,
    ...values,
    enable_ssl_verification: true,
    branch_filter_strategy: 'wildcard',
    created_at: now,
  })
}
