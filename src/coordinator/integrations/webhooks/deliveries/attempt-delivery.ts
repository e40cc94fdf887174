import { randomUUID } from 'node:crypto'

import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import type { EgressClient } from '../../../egress/egress-client.js'
import { type DeliveryRow, type EventRow, recordAttempt, storePayload } from '../delivery-store.js'
import { afterFailure, type Health, HEALTHY } from '../hook-health.js'
import type { HookRow } from '../hook-store.js'
import { type DeliveryRequest, deliveryRequest, type Sender, UnsendableError } from './delivery-request.js'
import { shownUrlOf } from './fill-url.js'
import { openHook } from './hook-secrets.js'
import { isSuccess, type Outcome, sendDelivery } from './send-delivery.js'

export interface AttemptDeps {
  database: Database
  secrets: SecretBox
  egress: EgressClient
  sender: Sender
  /** Renders the payload of an event; undefined if its object no longer exists. */
  render: (event: EventRow) => Promise<object | undefined>
  /** What an integration sends for a payload; undefined if its settings leave the event out. */
  integrationBody: (integrationId: number, payload: string) => Promise<string | undefined>
  /** Called after every attempt. */
  onAttempt?: (outcome: Outcome) => void
}

/**
 * Sends an event to a hook once and records the outcome. `delivery` is the outbox entry, if the event comes
 * from the outbox. `retryIn` is the delay of a retry without a response, in milliseconds; undefined = no
 * retry.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  hook: HookRow,
  event: EventRow,
  { delivery, retryIn }: { delivery?: DeliveryRow; retryIn?: number | undefined } = {},
): Promise<Outcome> {
  const { request, outcome } = await send(deps, hook, event, delivery?.idempotency_key ?? randomUUID())
  deps.onAttempt?.(outcome)
  const now = Date.now()
  const health = healthAfter(hook, outcome, now)
  const isRepeated = outcome.kind === 'failed' && outcome.isWorthRetrying && retryIn !== undefined
  await recordAttempt(deps.database, {
    log: logOf(hook, event, request, outcome, now),
    health: isSame(hook, health) ? undefined : health,
    delivery,
    retryAt: isRepeated ? now + retryIn : undefined,
  })
  return outcome
}

function healthAfter(hook: HookRow, outcome: Outcome, now: number): Health {
  if (isSuccess(outcome)) return HEALTHY
  return outcome.kind === 'unsent' ? hook : afterFailure(hook, now)
}

interface Sent {
  request: Pick<DeliveryRequest, 'shownUrl' | 'shownHeaders'>
  outcome: Outcome
}

async function send(deps: AttemptDeps, hook: HookRow, event: EventRow, key: string): Promise<Sent> {
  const secrets = openHook(deps.secrets, hook)
  try {
    const payload = await bodyFor(deps, hook, await payloadOf(deps, event))
    const delivery = { hook, event, payload, idempotencyKey: key, attemptId: randomUUID() }
    const request = deliveryRequest(deps.sender, delivery, secrets)
    return { request, outcome: await sendDelivery(deps.egress, request, hook) }
  } catch (error) {
    if (!(error instanceof UnsendableError)) throw error
    const outcome = { kind: 'unsent', reason: error.message, duration: 0 } as const
    return { request: { shownUrl: shownUrlOf(hook, secrets.url), shownHeaders: {} }, outcome }
  }
}

async function bodyFor(
  { integrationBody }: AttemptDeps,
  { integration_id }: HookRow,
  payload: string,
): Promise<string> {
  if (integration_id === null) return payload
  const body = await integrationBody(integration_id, payload)
  if (body === undefined) throw new UnsendableError('The settings of the integration leave this event out')
  return body
}

async function payloadOf({ database, secrets, render }: AttemptDeps, event: EventRow): Promise<string> {
  if (event.payload_encrypted !== null) return secrets.decrypt(event.payload_encrypted)
  const payload = await render(event)
  if (!payload) throw new UnsendableError('The object of this event no longer exists')
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
  const isAnswered = outcome.kind === 'answered'
  return {
    hook_id: hook.id,
    event_id: event.id,
    url: shownUrl,
    request_headers: JSON.stringify(shownHeaders),
    response_headers: JSON.stringify(isAnswered ? outcome.headers : {}),
    response_body: isAnswered ? outcome.body : outcome.reason,
    response_status: isAnswered ? String(outcome.status) : 'internal error',
    response_code: isAnswered ? outcome.status : null,
    execution_duration: outcome.duration,
    created_at: now,
  }
}
