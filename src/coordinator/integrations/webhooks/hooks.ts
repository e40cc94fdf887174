import type { Insertable, Updateable } from 'kysely'

import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import {
  ALL_TRIGGERS,
  type AnyTrigger,
  type HookTrigger,
  type WebHookTable,
} from '../../database/tables/webhooks.js'
import type { EgressClient } from '../../egress/egress-client.js'
import { checkRoom } from '../../http/check-room.js'
import { notFound } from '../../http/errors.js'
import { checkFilter } from './check-filter.js'
import { checkHeaders } from './check-headers.js'
import { checkTemplate } from './check-template.js'
import { checkUrl } from './check-url.js'
import { fillUrl } from './deliveries/fill-url.js'
import { openHook, sealPairs } from './deliveries/hook-secrets.js'
import { type Health, HEALTHY } from './hook-health.js'
import {
  deleteHookRow,
  findHook,
  type HookOwner,
  type HookRow,
  hooksOf,
  insertHook,
  updateHook,
} from './hook-store.js'
import { mergeSecrets, missingValue } from './merge-secrets.js'
import type { EditGroupHook, NewGroupHook } from './schema.js'

export interface HookDeps {
  database: Database
  secrets: SecretBox
  egress: Pick<EgressClient, 'isRefused'>
  /** As `egress`, for system hooks. */
  systemEgress: Pick<EgressClient, 'isRefused'>
}

type Wanted = Partial<NewGroupHook>

const MAX_OF_PROJECT = { most: 100, what: 'project hooks', code: 'hook_limit_reached' } as const
const MAX_OF_GROUP = { most: 50, what: 'group hooks', code: 'hook_limit_reached' } as const

/** Throws 404. */
export async function requireHook({ database }: Pick<HookDeps, 'database'>, owner: HookOwner, id: number) {
  const hook = await findHook(database, owner, id)
  if (!hook) throw notFound()
  return hook
}

/**
 * Throws 422 for a target that cannot receive events, and 400 for invalid parameters. `defaults` are the
 * flags that are set unless the caller sets them; `health` is the initial delivery state.
 */
export async function createHook(
  deps: HookDeps,
  owner: HookOwner,
  wanted: NewGroupHook,
  defaults: readonly HookTrigger[] = ['push_events'],
  health: Health = HEALTHY,
): Promise<HookRow> {
  const now = Date.now()
  const blank = {
    ...Object.fromEntries(ALL_TRIGGERS.map((flag) => [flag, defaults.some((name) => name === flag)])),
    enable_ssl_verification: true,
    branch_filter_strategy: 'wildcard',
    created_at: now,
    updated_at: now,
    ...ownerColumns(owner),
  } as Insertable<WebHookTable>
  const changes = await changesOf(deps, owner, wanted)
  if (owner !== null) {
    await checkRoom(hooksOf(deps.database, owner), 'groupId' in owner ? MAX_OF_GROUP : MAX_OF_PROJECT)
  }
  return insertHook(deps.database, { ...blank, ...changes, ...health })
}

/** Editing a disabled hook enables it (API, K2). */
export async function editHook(
  deps: HookDeps,
  owner: HookOwner,
  id: number,
  wanted: Omit<EditGroupHook, 'hook_id'>,
): Promise<HookRow> {
  const hook = await requireHook(deps, owner, id)
  const changed = await updateHook(deps.database, hook.id, {
    ...(await changesOf(deps, owner, wanted, hook)),
    recent_failures: 0,
    disabled_until: null,
    updated_at: Date.now(),
  })
  if (!changed) throw notFound()
  return changed
}

/** A missing hook counts as deleted, so that a client may repeat the request. */
export async function deleteHook(deps: HookDeps, owner: HookOwner, id: number): Promise<void> {
  const hook = await findHook(deps.database, owner, id)
  if (hook) await deleteHookRow(deps.database, hook.id)
}

function ownerColumns(owner: HookOwner): Pick<Insertable<WebHookTable>, 'project_id' | 'group_id'> {
  if (owner === null) return { project_id: null, group_id: null }
  return 'groupId' in owner
    ? { project_id: null, group_id: owner.groupId }
    : { project_id: owner.projectId, group_id: null }
}

async function changesOf(
  deps: HookDeps,
  owner: HookOwner,
  wanted: Wanted,
  hook?: HookRow,
): Promise<Updateable<WebHookTable> & { url_encrypted: string }> {
  const { secrets } = deps
  const { url, variables, headers, token } = secretsOf(secrets, wanted, hook)
  await checkUrl(owner === null ? deps.systemEgress : deps.egress, url, variables)
  checkHeaders(headers)
  if (wanted.custom_webhook_template) checkTemplate(wanted.custom_webhook_template)
  const strategy = wanted.branch_filter_strategy ?? hook?.branch_filter_strategy ?? 'wildcard'
  const filter = wanted.push_events_branch_filter ?? hook?.push_events_branch_filter ?? ''
  checkFilter(strategy, filter)
  return {
    ...flagsOf(wanted),
    ...readTexts(wanted),
    ...(wanted.enable_ssl_verification !== undefined && {
      enable_ssl_verification: wanted.enable_ssl_verification,
    }),
    ...(token !== undefined && { token_encrypted: encrypted(secrets, token) }),
    branch_filter_strategy: strategy,
    url_encrypted: secrets.encrypt(url),
    url_variables_encrypted: sealPairs(secrets, variables),
    custom_headers_encrypted: sealPairs(secrets, headers),
  }
}

/**
 * The address of the hook and what is sent to it. Another URL loses the secrets that `wanted` does not set: the user
 * who changes the URL could read them at the new address. A variable that changes the host loses them too.
 */
function secretsOf(secrets: SecretBox, wanted: Wanted, hook: HookRow | undefined) {
  const before = hook && openHook(secrets, hook)
  const url = wanted.url ?? before?.url ?? ''
  const merged = (isKept: boolean) => ({
    variables: mergeSecrets('url_variables', isKept ? before?.urlVariables : {}, wanted.url_variables),
    headers: mergeSecrets('custom_headers', isKept ? before?.customHeaders : {}, wanted.custom_headers),
  })
  if (!before) return { url, token: wanted.token, ...merged(false) }
  const origin = fillUrl(before.url, before.urlVariables)?.origin
  if (url === before.url) {
    const kept = merged(true)
    if (fillUrl(url, kept.variables)?.origin === origin) return { url, token: wanted.token, ...kept }
  }
  const { variables, headers } = merged(false)
  const lost = Object.keys(before.urlVariables).find(
    (name) => !Object.hasOwn(variables, name) && url.includes(`{${name}}`),
  )
  if (lost !== undefined) throw missingValue('url_variables', lost)
  return { url, token: wanted.token ?? null, variables, headers }
}

function flagsOf(wanted: Wanted): Partial<Record<AnyTrigger, boolean>> {
  const given = { ...wanted, wiki_page_events: wanted.wiki_page_events ?? wanted.wiki_events }
  return Object.fromEntries(
    ALL_TRIGGERS.flatMap((flag) => (given[flag] === undefined ? [] : [[flag, given[flag]]])),
  )
}

const TEXTS = ['name', 'description', 'push_events_branch_filter', 'custom_webhook_template'] as const

function readTexts(wanted: Wanted): Partial<Record<(typeof TEXTS)[number], string | null>> {
  return Object.fromEntries(
    TEXTS.flatMap((text) => (wanted[text] === undefined ? [] : [[text, wanted[text] || null]])),
  )
}

function encrypted(secrets: SecretBox, text: string | null): string | null {
  return text ? secrets.encrypt(text) : null
}
