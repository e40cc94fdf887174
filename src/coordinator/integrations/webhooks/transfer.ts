import { Type } from 'typebox'

import { inPages } from '../../database/in-pages.js'
import { HOOK_TRIGGERS } from '../../database/tables/webhooks.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { NEVER_CALLED } from './hook-health.js'
import { type HookRow, hooksOf } from './hook-store.js'
import { createHook, type HookDeps } from './hooks.js'
import { NewHook } from './schema.js'

const { token: _token, url_variables: _variables, custom_headers: _headers, ...settings } = NewHook.properties
const Transferred = Type.Object(settings)

/**
 * Export and import of hooks. Exported hooks have no credentials: no secret tokens, header values, URL
 * variables or credentials in the URL. Imported hooks receive no events until a user edits them and enters
 * the secrets again.
 */
export function hookPart(deps: HookDeps): TransferPart {
  const { database } = deps
  return transferPart({
    name: 'hooks',
    schema: Transferred,
    read: async function* ({ id }) {
      const rows = inPages(hooksOf(database, { projectId: id }).selectAll(), 'web_hook')
      for await (const hook of rows) yield recordOf(deps, hook)
    },
    identityOf: ({ url, name = null }) => [url, name],
    write: ({ project }, hook) => createHook(deps, { projectId: project.id }, hook, [], NEVER_CALLED),
  })
}

function recordOf({ secrets }: HookDeps, hook: HookRow) {
  const { name, description, push_events_branch_filter, branch_filter_strategy } = hook
  const { enable_ssl_verification, custom_webhook_template } = hook
  return {
    ...Object.fromEntries(HOOK_TRIGGERS.map((flag) => [flag, hook[flag]])),
    name,
    description,
    push_events_branch_filter,
    branch_filter_strategy,
    enable_ssl_verification,
    custom_webhook_template: custom_webhook_template ?? undefined,
    url: withoutCredentials(secrets.decrypt(hook.url_encrypted)),
  }
}

function withoutCredentials(address: string): string {
  return address.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1')
}
