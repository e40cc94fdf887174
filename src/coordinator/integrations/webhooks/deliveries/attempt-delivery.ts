import { randomUUID } from 'node:crypto'

import { type DeliveryRow, type EventRow, recordAttempt, storePayload } from '../delivery-store.js'
import { afterFailure, type Health, HEALTHY } from '../hook-health.js'
import type { HookRow } from '../hook-store.js'
import type { OutgoingMessage } from './outgoing-message.js'
import { isSuccess, type Outcome } from './send-delivery.js'
import { type Nothing, type SendDeps, sendMessage, type Sent } from './send-message.js'

/** What an integration sends for: an event, or a test of its settings. */
export type Purpose = 'event' | 'test'

/** An event for an integration. */
export interface EventToSend {
  /** JSON text. */
  payload: string
  purpose: Purpose
  /** Equal for all attempts to deliver the event. */
  key: string
}

export interface AttemptDeps extends SendDeps {
  /** Renders the payload of an event; undefined if its object no longer exists. */
  render: (event: EventRow) => Promise<object | undefined>
  /**
   * What an integration sends for a payload, in this order; the same for the same payload. Empty if its settings leave
   * the event out.
   */
  integrationMessages: (integrationId: number, event: EventToSend) => Promise<OutgoingMessage[]>
  /** Called after every attempt. */
  onAttempt?: (outcome: Outcome) => void
}

interface AttemptOptions {
  /** The outbox entry, if the event comes from the outbox. */
  delivery?: DeliveryRow
  /** Delay of a retry without a response, in milliseconds; undefined = no retry. */
  retryIn?: number | undefined
  purpose?: Purpose
}

/**
 * Sends an event to a hook once and records the outcome. If several requests deliver the event, an entry of the outbox
 * sends the next one and stays until all are sent; otherwise all are sent, up to the first one that fails.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  hook: HookRow,
  event: EventRow,
  options: AttemptOptions = {},
): Promise<Outcome> {
  const { delivery, purpose = 'event' } = options
  const key = delivery?.idempotency_key ?? randomUUID()
  const messages = await messagesOf(deps, hook, event, { purpose, key })
  const first = delivery?.requests_done ?? 0
  let latest = hook
  for (let at = first; ; at += 1) {
    const isLast = at + 1 >= messages.length
    const message = messages[at] ?? NOTHING
    const { outcome, health } = await attempt(deps, latest, event, { ...options, key, message, at, isLast })
    if (delivery || isLast || !(isSuccess(outcome) || outcome.kind === 'unsent')) return outcome
    latest = { ...latest, ...health }
  }
}

interface OneAttempt extends AttemptOptions {
  key: string
  message: OutgoingMessage | Nothing
  /** Index of the request among those of the event. */
  at: number
  isLast: boolean
}

async function attempt(
  deps: AttemptDeps,
  hook: HookRow,
  event: EventRow,
  { delivery, retryIn, key, message, at, isLast }: OneAttempt,
): Promise<{ outcome: Outcome; health: Health }> {
  const { request, outcome } = await sendMessage(deps, hook, event, message, at === 0 ? key : `${key}-${at}`)
  deps.onAttempt?.(outcome)
  const now = Date.now()
  const health = healthAfter(hook, outcome, now)
  const hasFailed = outcome.kind === 'failed'
  const isRepeated = hasFailed && outcome.isWorthRetrying && retryIn !== undefined
  await recordAttempt(deps.database, {
    log: logOf(hook, event, request, outcome, now),
    health: isSame(hook, health) ? undefined : health,
    delivery,
    retryAt: isRepeated ? now + retryIn : undefined,
    requestsDone: hasFailed || isLast ? undefined : at + 1,
  })
  return { outcome, health }
}

function healthAfter(hook: HookRow, outcome: Outcome, now: number): Health {
  if (isSuccess(outcome)) return HEALTHY
  return outcome.kind === 'unsent' ? hook : afterFailure(hook, now)
}

const NOTHING: Nothing = {
  kind: 'nothing',
  reason: 'The settings of the integration leave this event out',
}

/** What delivers an event: the payload, or what an integration makes of it. */
async function messagesOf(
  deps: AttemptDeps,
  { integration_id }: HookRow,
  event: EventRow,
  { purpose, key }: Pick<EventToSend, 'purpose' | 'key'>,
): Promise<(OutgoingMessage | Nothing)[]> {
  const payload = await payloadOf(deps, event)
  if (payload === undefined) return [{ kind: 'nothing', reason: 'The object of this event no longer exists' }]
  if (integration_id === null) return [{ kind: 'payload', body: payload }]
  return deps.integrationMessages(integration_id, { payload, purpose, key })
}

/** Undefined if the object of the event no longer exists. */
async function payloadOf(
  { database, secrets, render }: AttemptDeps,
  event: EventRow,
): Promise<string | undefined> {
  if (event.payload_encrypted !== null) return secrets.decrypt(event.payload_encrypted)
  const payload = await render(event)
  if (!payload) return undefined
  const kept = await storePayload(database, event, secrets.encrypt(JSON.stringify(payload)))
  return secrets.decrypt(kept)
}

function isSame(one: Health, other: Health): boolean {
  return one.recent_failures === other.recent_failures && one.disabled_until === other.disabled_until
}

function logOf(
  hook: HookRow,
  event: EventRow,
  { shownUrl, shownHeaders }: Sent['request'],
  outcome: Outcome,
  now: number,
) {
  const hasResponse = outcome.kind === 'responded'
  const reason = 'reason' in outcome ? outcome.reason : ''
  return {
    hook_id: hook.id,
    event_id: event.id,
    url: shownUrl,
    request_headers: JSON.stringify(shownHeaders),
    response_headers: JSON.stringify(hasResponse ? outcome.headers : {}),
    response_body: hasResponse ? outcome.body : reason,
    response_status: hasResponse
      ? String(outcome.status)
      : outcome.kind === 'sent'
        ? 'sent'
        : 'internal error',
    response_code: hasResponse ? outcome.status : null,
    execution_duration: outcome.duration,
    created_at: now,
  }
}
