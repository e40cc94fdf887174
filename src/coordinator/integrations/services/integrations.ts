import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { lockPresentProject } from '../../database/lock-row.js'
import { HOOK_TRIGGERS, type HookTrigger } from '../../database/tables/webhooks.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import type { EgressClient } from '../../egress/egress-client.js'
import { invalidParameters, invalidRecord, notFound } from '../../http/errors.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { checkUrl } from '../webhooks/check-url.js'
import { deleteHooksOfIntegration, insertHook } from '../webhooks/hook-store.js'
import { addressOf, isAddress, MAIL } from './address-of.js'
import { type IntegrationKind, kindOfSlug } from './kinds.js'
import type { IntegrationKind as KindRecord } from './schema.js'
import {
  deleteIntegrationRow,
  findIntegration,
  insertIntegration,
  type IntegrationRow,
  updateIntegration,
} from './store.js'

export interface IntegrationDeps {
  database: Database
  secrets: SecretBox
  egress: Pick<EgressClient, 'isRefused'>
}

type Values = Record<string, unknown>

/** Throws 404 for a slug that no kind has. */
export function requireIntegrationKind(slug: string): IntegrationKind {
  const kind = kindOfSlug(slug)
  if (!kind) throw notFound('Integration')
  return kind
}

/**
 * Creates or changes an integration, and the webhook over which it gets events. Throws 400 if a required property is
 * missing, and 422 for an address to which nothing may be sent.
 */
export async function setIntegration(
  { database, secrets, egress }: IntegrationDeps,
  projectId: number,
  { slug: _slug, ...params }: Values,
  kind: IntegrationKind,
): Promise<IntegrationRow> {
  const given = canonical(kind, params)
  const { address } = draftOf(secrets, kind, given, await findIntegration(database, projectId, kind.slug))
  if (address && address.url !== MAIL) await checkUrl(egress, address.url, {})
  return inTransaction(database, async (tx) => {
    // The second of two concurrent calls changes what the first one has created.
    if (!(await lockPresentProject(tx, projectId))) throw notFound('Project')
    const before = await findIntegration(tx, projectId, kind.slug)
    const { row, target } = draftOf(secrets, kind, given, before)
    const saved = before
      ? await updateIntegration(tx, before.id, row)
      : await insertIntegration(tx, {
          ...row,
          project_id: projectId,
          slug: kind.slug,
          created_at: row.updated_at,
        })
    await setHook(tx, secrets, saved, target)
    return saved
  })
}

/** What becomes of an integration. Throws 400 for what its kind does not allow. */
function draftOf(
  secrets: SecretBox,
  kind: IntegrationKind,
  given: Values,
  before: IntegrationRow | undefined,
) {
  const isMoved = isAddressChanged(kind, given, before)
  const kept = { ...propertiesOf(before), ...(isMoved ? {} : secretsOf(secrets, before)) }
  const values: Values = { ...kept, ...propertiesIn(kind, given) }
  checkRequired(kind, values, isMoved ? ' (an integration with another address needs its secrets again)' : '')
  checkUrls(kind, values)
  const address = addressOf(kind, values)
  const isSecret = ([name]: [string, unknown]) => kind.properties[name]?.kind === 'secret'
  const entries = Object.entries(values).filter(([, value]) => value !== null)
  const hidden = entries.filter(isSecret)
  const events = eventsOf(kind, given, before)
  const active = typeof given['active'] === 'boolean' ? given['active'] : (before?.active ?? true)
  const always = Object.fromEntries(kind.alwaysGets.map((name) => [name, true]))
  const row = {
    active,
    properties: JSON.stringify(Object.fromEntries(entries.filter((entry) => !isSecret(entry)))),
    secrets_encrypted:
      hidden.length === 0 ? null : secrets.encrypt(JSON.stringify(Object.fromEntries(hidden))),
    events: JSON.stringify(events),
    updated_at: Date.now(),
  }
  return {
    address,
    row,
    target: active && address ? { ...address, events: { ...events, ...always } } : undefined,
  }
}

interface Target {
  url: string
  isVerified: boolean
  events: Partial<Record<HookTrigger, boolean>>
}

/** The webhook is made again: pending deliveries to an address that is changed go nowhere. */
async function setHook(
  tx: Transaction,
  secrets: SecretBox,
  { id, project_id }: IntegrationRow,
  target: Target | undefined,
): Promise<void> {
  await deleteHooksOfIntegration(tx, id)
  if (!target) return
  const now = Date.now()
  const flags = Object.fromEntries(HOOK_TRIGGERS.map((name) => [name, target.events[name] ?? false]))
  await insertHook(tx, {
    ...(flags as Record<HookTrigger, boolean>),
    project_id,
    integration_id: id,
    url_encrypted: secrets.encrypt(target.url),
    enable_ssl_verification: target.isVerified,
    branch_filter_strategy: 'wildcard',
    created_at: now,
    updated_at: now,
  })
}

/** Throws 404 if there is none. */
export async function deleteIntegration(
  database: Database,
  projectId: number,
  kind: IntegrationKind,
): Promise<void> {
  if (!(await deleteIntegrationRow(database, projectId, kind.slug))) throw notFound('Integration')
}

/** Names that clients send as the first documents misspelt them. */
const MISSPELT: Readonly<Record<string, string>> = { confidental_note_events: 'confidential_note_events' }

/** By the names of this kind. */
function canonical(kind: IntegrationKind, params: Values): Values {
  return Object.fromEntries(
    Object.entries(params)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [kind.renamed[name] ?? MISSPELT[name] ?? name, value]),
  )
}

function propertiesIn(kind: IntegrationKind, given: Values): Values {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in kind.properties))
}

/** Whether secrets would be sent to another server: the user who changes the address could read them there. */
function isAddressChanged(kind: IntegrationKind, given: Values, before: IntegrationRow | undefined): boolean {
  const known = propertiesOf(before)
  const changed = Object.entries(propertiesIn(kind, given)).filter(
    ([name, value]) => (value ?? '') !== (known[name] ?? ''),
  )
  return before !== undefined && changed.some(([name]) => isAddress(kind, name))
}

function checkRequired(kind: IntegrationKind, values: Values, hint: string): void {
  for (const [name, { isRequired }] of Object.entries(kind.properties)) {
    const value = values[name]
    if (isRequired && (value === undefined || value === null || value === '')) {
      throw invalidParameters(`${name} is missing${hint}`)
    }
  }
}

function checkUrls(kind: IntegrationKind, values: Values): void {
  for (const [name, { kind: value }] of Object.entries(kind.properties)) {
    const isUrl = value === 'url' || name === 'webhook'
    const text = values[name]
    if (isUrl && typeof text === 'string' && text !== '' && !/^https?:$/.test(protocolOf(text))) {
      throw invalidRecord({ [name]: ['must be a valid URL'] })
    }
  }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

type Events = Partial<Record<HookTrigger | 'commit_events' | 'comment_on_event_enabled', boolean>>

/** A new integration gets all events of its kind that are not confidential. */
function eventsOf(kind: IntegrationKind, given: Values, before: IntegrationRow | undefined): Events {
  const known: Events = before
    ? (JSON.parse(before.events) as Events)
    : Object.fromEntries(kind.events.map((name) => [name, !name.startsWith('confidential')]))
  const named = [...kind.events, 'commit_events', 'comment_on_event_enabled'] as const
  const changed = named.filter((name) => typeof given[name] === 'boolean').map((name) => [name, given[name]])
  return { ...known, ...(Object.fromEntries(changed) as Events) }
}

/** The flags as they were set. */
export function eventFlags(row: IntegrationRow): Readonly<Record<string, boolean>> {
  return JSON.parse(row.events) as Events
}

export function propertiesOf(row: IntegrationRow | undefined): Values {
  return row ? (JSON.parse(row.properties) as Values) : {}
}

export function secretsOf(secrets: SecretBox, row: IntegrationRow | undefined): Values {
  const kept = row?.secrets_encrypted
  return kept ? (JSON.parse(secrets.decrypt(kept)) as Values) : {}
}

/** What a form of this kind has. */
export function presentKind(known: IntegrationKind): KindRecord {
  const { slug, title, properties, events, format, isDiscontinued } = known
  return {
    slug,
    title,
    properties: Object.entries(properties).map(([name, { kind, isRequired = false }]) => ({
      name,
      kind,
      required: isRequired,
    })),
    events: [...events],
    sends: format !== undefined,
    discontinued: isDiscontinued,
  }
}

/** A record of a list; `row` is undefined for an integration that was never set. */
export function presentListed(kind: IntegrationKind, row: IntegrationRow | undefined) {
  const events: Events = row ? (JSON.parse(row.events) as Events) : {}
  return {
    id: row?.id ?? null,
    title: kind.title,
    slug: kind.slug,
    created_at: row ? isoTime(row.created_at) : null,
    updated_at: row ? isoTime(row.updated_at) : null,
    active: row?.active ?? false,
    inherited: false,
    ...Object.fromEntries(HOOK_TRIGGERS.map((name) => [name, events[name] ?? false])),
    commit_events: events.commit_events ?? true,
    comment_on_event_enabled: events.comment_on_event_enabled ?? true,
    incident_events: false,
    alert_events: false,
    vulnerability_events: false,
  }
}

/** The whole record, without secrets. */
export function presentIntegration(kind: IntegrationKind, row: IntegrationRow | undefined) {
  const values = propertiesOf(row)
  const shown = Object.entries(kind.properties).filter(([, { kind: value }]) => value !== 'secret')
  return {
    ...presentListed(kind, row),
    properties: Object.fromEntries(shown.map(([name]) => [name, values[name] ?? null])),
  }
}
