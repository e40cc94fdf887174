import type { SecretBox } from '../../crypto/secret-box.js'
import { HOOK_TRIGGERS, type HookTrigger } from '../../database/tables/webhooks.js'
import type { Transaction } from '../../database/transaction.js'
import { type Health, HEALTHY } from './hook-health.js'
import { findHookOfStatusCheck, insertHook, updateHook } from './hook-store.js'

interface Receiver {
  /** The address, which was checked. */
  url?: string | undefined
  /** The key of the signatures; null or empty = requests are not signed. */
  signingKey?: string | null | undefined
  health?: Health | undefined
}

/**
 * Gives the webhook of a status check its name, address and key; what is undefined stays, but another address loses the
 * key: who may change the address could have anything signed. Pending deliveries go to the new address. A webhook that
 * rests, because its service has failed, is called again unless `health` says otherwise.
 */
export async function setHookOfStatusCheck(
  tx: Transaction,
  secrets: Pick<SecretBox, 'encrypt' | 'decrypt'>,
  { id, project_id, name }: { id: number; project_id: number; name: string },
  { url, signingKey, health = HEALTHY }: Receiver,
): Promise<void> {
  const now = Date.now()
  const address = url === undefined ? {} : { url_encrypted: secrets.encrypt(url) }
  const hook = await findHookOfStatusCheck(tx, id)
  const isMoved = hook && url !== undefined && url !== secrets.decrypt(hook.url_encrypted)
  const given = signingKey ?? null
  const key =
    signingKey === undefined && !isMoved
      ? {}
      : { signing_key_encrypted: given ? secrets.encrypt(given) : null }
  if (hook) {
    await updateHook(tx, hook.id, { ...health, ...address, ...key, name, updated_at: now })
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
    ...key,
    ...health,
    enable_ssl_verification: true,
    branch_filter_strategy: 'wildcard',
    created_at: now,
    updated_at: now,
  })
}
