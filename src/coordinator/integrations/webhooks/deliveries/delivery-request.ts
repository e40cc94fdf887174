import { createHmac } from 'node:crypto'

import type { Selectable } from 'kysely'

import type { AnyTrigger, HookEventTable, WebHookTable } from '../../../database/tables/webhooks.js'
import { isSystemHook } from '../hook-store.js'
import { EVENT_UUID_HEADER } from '../outbox/event-chain.js'
import { fillUrl, shownUrlOf } from './fill-url.js'
import type { HookSecrets } from './hook-secrets.js'
import type { RequestMessage } from './outgoing-message.js'
import { renderPayloadTemplate } from './render-template.js'

/** Event names by which receivers distinguish events (API, K3). */
const EVENT_NAMES: Record<AnyTrigger, string> = {
  push_events: 'Push Hook',
  tag_push_events: 'Tag Push Hook',
  issues_events: 'Issue Hook',
  confidential_issues_events: 'Confidential Issue Hook',
  merge_requests_events: 'Merge Request Hook',
  note_events: 'Note Hook',
  confidential_note_events: 'Confidential Note Hook',
  job_events: 'Job Hook',
  pipeline_events: 'Pipeline Hook',
  wiki_page_events: 'Wiki Page Hook',
  deployment_events: 'Deployment Hook',
  releases_events: 'Release Hook',
  feature_flag_events: 'Feature Flag Hook',
  milestone_events: 'Milestone Hook',
  emoji_events: 'Emoji Hook',
  resource_access_token_events: 'Resource Access Token Hook',
  repository_update_events: 'Repository Update Hook',
  member_events: 'Member Hook',
  subgroup_events: 'Subgroup Hook',
  project_events: 'Project Hook',
}
const SYSTEM_EVENT_NAME = 'System Hook'
const SIGNATURE_HEADER = 'X-Gitlab-Signature'
const HIDDEN = '[REDACTED]'
/** Maximum size of a request body, in bytes; a longer one is not sent (API, K2). */
const MAX_BODY_BYTES = 25 * 1024 * 1024

/** Properties of the coordinator that receivers see. */
export interface Sender {
  externalUrl: string
  /** Version of this package. */
  version: string
}

export interface Delivery {
  hook: Selectable<WebHookTable>
  event: Pick<Selectable<HookEventTable>, 'trigger' | 'uuid'>
  /** JSON text. */
  payload: string
  /** Equal for all attempts of a delivery. */
  idempotencyKey: string
  /** Different for each attempt. */
  attemptId: string
}

export interface DeliveryRequest {
  method: 'GET' | 'POST' | 'PUT'
  /** Without credentials, which are sent in the headers. */
  url: string
  headers: Record<string, string>
  /** Absent for a GET request. */
  body?: string
  /** URL and headers as shown to users, with secrets masked. */
  shownUrl: string
  shownHeaders: Record<string, string>
}

/** A request cannot be sent; the message is shown in the delivery log. */
export class UnsendableError extends Error {}

/** Throws `UnsendableError` if the settings of the hook give no valid request, or the body is too large. */
export function deliveryRequest(sender: Sender, delivery: Delivery, secrets: HookSecrets): DeliveryRequest {
  const url = fillUrl(secrets.url, secrets.urlVariables)
  if (!url) throw new UnsendableError('The URL of the webhook is not valid after its variables are replaced')
  const body = bodyOf(delivery)
  checkSize(body)
  const open = openHeaders(sender, delivery)
  const hidden = hiddenHeaders(secrets, url, body)
  url.username = url.password = ''
  return {
    method: 'POST',
    url: url.href,
    headers: merged(open, hidden),
    body,
    shownUrl: shownUrlOf(delivery.hook, secrets.url),
    shownHeaders: merged(open, Object.fromEntries(Object.keys(hidden).map((name) => [name, HIDDEN]))),
  }
}

/** Headers of APIs that are no secrets. */
const SHOWN_HEADERS = ['content-type', 'accept']

/** A request to an API of another service, in the form of that service. Throws `UnsendableError` if it is too large or its URL is not valid. */
export function ownRequest(
  { version }: Sender,
  message: Omit<RequestMessage, 'kind'>,
  idempotencyKey: string,
): DeliveryRequest {
  const { method, body } = message
  if (body !== undefined) checkSize(body)
  if (!URL.canParse(message.url))
    throw new UnsendableError('The settings of the integration give no valid URL')
  const { href, origin } = new URL(message.url)
  const open = { 'User-Agent': `Switchyard/${version}`, 'Idempotency-Key': idempotencyKey }
  const own = Object.entries(message.headers)
  const shown = own.map(([name, value]) => [
    name,
    SHOWN_HEADERS.includes(name.toLowerCase()) ? value : HIDDEN,
  ])
  return {
    method,
    url: href,
    headers: { ...open, ...Object.fromEntries(own.map(([name, value]) => [name, headerText(value)])) },
    ...(body !== undefined && { body }),
    shownUrl: origin,
    shownHeaders: { ...open, ...(Object.fromEntries(shown) as Record<string, string>) },
  }
}

function checkSize(body: string): void {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) {
    throw new UnsendableError(`The payload is larger than ${MAX_BODY_BYTES} bytes`)
  }
}

function bodyOf({ hook, payload }: Delivery): string {
  const template = hook.custom_webhook_template
  if (template === null) return payload
  const body = renderPayloadTemplate(template, JSON.parse(payload) as unknown)
  if (body === undefined)
    throw new UnsendableError('The custom template of the webhook gives no valid JSON for this payload')
  return body
}

function openHeaders({ externalUrl, version }: Sender, delivery: Delivery): Record<string, string> {
  const { hook, event, idempotencyKey, attemptId } = delivery
  return {
    'Content-Type': 'application/json',
    'User-Agent': `Switchyard/${version}`,
    'X-Gitlab-Event': eventName(hook, event.trigger),
    'X-Gitlab-Instance': externalUrl,
    'X-Gitlab-Webhook-UUID': attemptId,
    [EVENT_UUID_HEADER]: event.uuid,
    'Idempotency-Key': idempotencyKey,
  }
}

function eventName(hook: Delivery['hook'], trigger: Delivery['event']['trigger']): string {
  return isSystemHook(hook) || trigger === 'system_events' ? SYSTEM_EVENT_NAME : EVENT_NAMES[trigger]
}

/** Headers whose values are hidden from users. */
function hiddenHeaders(
  { token, signingKey, customHeaders }: HookSecrets,
  url: URL,
  body: string,
): Record<string, string> {
  const { username, password } = url
  const credentials = `${decoded(username)}:${decoded(password)}`
  const values = {
    ...(username !== '' && { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    ...customHeaders,
    ...(token !== undefined && { 'X-Gitlab-Token': token }),
    ...(signingKey !== undefined && { [SIGNATURE_HEADER]: signatureOf(signingKey, body) }),
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, headerText(value)]))
}

/** HMAC-SHA256 of the bytes of the body, in hexadecimal digits (API, F4). */
function signatureOf(key: string, body: string): string {
  return createHmac('sha256', key).update(body).digest('hex')
}

/** A `%` that starts no escape sequence is kept. */
function decoded(text: string): string {
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString()
}

/** Merges headers; later ones replace earlier ones of the same name, case-insensitive. */
function merged(first: Record<string, string>, second: Record<string, string>): Record<string, string> {
  const replaced = new Set(Object.keys(second).map((name) => name.toLowerCase()))
  const kept = Object.entries(first).filter(([name]) => !replaced.has(name.toLowerCase()))
  return { ...Object.fromEntries(kept), ...second }
}

/** Removes control characters and encodes the text as UTF-8 bytes, because a header has no other encoding. */
function headerText(value: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what no header may hold
  return Buffer.from(value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '')).toString('latin1')
}
