import type { Selectable } from 'kysely'

import type { SecretBox } from '../../../crypto/secret-box.js'
import type { WebHookTable } from '../../../database/tables/webhooks.js'

/** Values by name. */
export type KeyValue = Record<string, string>

/** The decrypted secrets of a hook. */
export interface HookSecrets {
  /** URL template, with the names of variables in braces. */
  url: string
  token: string | undefined
  /** Key of the signature; undefined if requests are not signed. */
  signingKey: string | undefined
  urlVariables: KeyValue
  customHeaders: KeyValue
}

export function openHook(secrets: SecretBox, hook: Selectable<WebHookTable>): HookSecrets {
  return {
    url: secrets.decrypt(hook.url_encrypted),
    token: hook.token_encrypted === null ? undefined : secrets.decrypt(hook.token_encrypted),
    signingKey: hook.signing_key_encrypted === null ? undefined : secrets.decrypt(hook.signing_key_encrypted),
    urlVariables: openPairs(secrets, hook.url_variables_encrypted),
    customHeaders: openPairs(secrets, hook.custom_headers_encrypted),
  }
}

export function openPairs(secrets: SecretBox, kept: string | null | undefined): KeyValue {
  return kept ? (JSON.parse(secrets.decrypt(kept)) as KeyValue) : {}
}

/** Null if there are no values. */
export function sealPairs(secrets: SecretBox, values: KeyValue): string | null {
  return Object.keys(values).length === 0 ? null : secrets.encrypt(JSON.stringify(values))
}
