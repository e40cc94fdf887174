import { randomUUID } from 'node:crypto'

import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import type { EgressClient } from '../../../egress/egress-client.js'
import { mailContextOf } from '../../mail/mail-context.js'
import { queueMails } from '../../mail/queue-mail.js'
import type { EventRow } from '../delivery-store.js'
import { type HookRow, isSystemHook } from '../hook-store.js'
import {
  type DeliveryRequest,
  deliveryRequest,
  ownRequest,
  type Sender,
  UnsendableError,
} from './delivery-request.js'
import { shownUrlOf } from './fill-url.js'
import { type HookSecrets, openHook } from './hook-secrets.js'
import type { MailMessage, OutgoingMessage, RequestMessage } from './outgoing-message.js'
import { isSuccess, type Outcome, sendDelivery, sendLookup, TIMEOUT } from './send-delivery.js'
import { sendToSocket } from './send-to-socket.js'

export interface SendDeps {
  database: Database
  secrets: SecretBox
  egress: EgressClient
  /** Sends the events of system hooks, which administrators set. */
  systemEgress: EgressClient
  sender: Sender
}

export interface Sent {
  request: Pick<DeliveryRequest, 'shownUrl' | 'shownHeaders'>
  outcome: Outcome
}

/** The reason why there is no request. */
export interface Nothing {
  kind: 'nothing'
  reason: string
}

/** Sends one message of an event, or says why there is none. */
export async function sendMessage(
  deps: SendDeps,
  hook: HookRow,
  event: EventRow,
  message: OutgoingMessage | Nothing,
  idempotencyKey: string,
): Promise<Sent> {
  const secrets = openHook(deps.secrets, hook)
  try {
    return await sendWith(deps, { hook, secrets, event, idempotencyKey }, message)
  } catch (error) {
    if (!(error instanceof UnsendableError)) throw error
    return unsent(hook, secrets, error.message)
  }
}

function unsent(hook: HookRow, secrets: HookSecrets, reason: string): Sent {
  const request = { shownUrl: shownUrlOf(hook, secrets.url), shownHeaders: {} }
  return { request, outcome: { kind: 'unsent', reason, duration: 0 } }
}

interface DeliveryContext {
  hook: HookRow
  secrets: HookSecrets
  event: EventRow
  idempotencyKey: string
}

async function sendWith(
  deps: SendDeps,
  context: DeliveryContext,
  message: OutgoingMessage | Nothing,
): Promise<Sent> {
  const { sender } = deps
  const { hook, secrets } = context
  const egress = isSystemHook(hook) ? deps.systemEgress : deps.egress
  switch (message.kind) {
    case 'nothing':
      return unsent(hook, secrets, message.reason)
    case 'payload': {
      const delivery = { ...context, payload: message.body, attemptId: randomUUID() }
      const { url = secrets.url } = message
      const request = deliveryRequest(sender, delivery, { ...secrets, url })
      return { request, outcome: await sendDelivery(egress, request, hook) }
    }
    case 'request': {
      const request = ownRequest(sender, message, context.idempotencyKey)
      const outcome = await sendDelivery(egress, request, hook)
      return { request, outcome: message.mayBeRefused ? unlessRefused(outcome) : outcome }
    }
    case 'lookup': {
      const request = ownRequest(sender, { ...message, method: 'GET' }, context.idempotencyKey)
      const found = await sendLookup(egress, request, hook)
      if ('outcome' in found) return { request, outcome: found.outcome }
      return (await sendAll(deps, context, message.follow(found.body))) ?? { request, outcome: NO_USE }
    }
    case 'socket': {
      const request = { shownUrl: `tcp://${message.host}:${message.port}`, shownHeaders: {} }
      return { request, outcome: await sendToSocket(egress, message) }
    }
    case 'mail':
      return { request: { shownUrl: 'mailto:', shownHeaders: {} }, outcome: await storeMails(deps, message) }
  }
}

async function storeMails({ database }: SendDeps, { mails }: MailMessage): Promise<Outcome> {
  return inTransaction(database, async (tx): Promise<Outcome> => {
    if (!mailContextOf(tx)) return { kind: 'unsent', reason: 'This instance sends no mails', duration: 0 }
    await queueMails(tx, mails)
    return { kind: 'sent', duration: 0 }
  })
}

/** The last one that was sent; undefined if there are none. */
async function sendAll(
  { egress, sender }: SendDeps,
  { hook, idempotencyKey }: DeliveryContext,
  messages: readonly RequestMessage[],
): Promise<Sent | undefined> {
  const deadline = AbortSignal.timeout(TIMEOUT)
  let last: Sent | undefined
  for (const message of messages) {
    const request = ownRequest(sender, message, idempotencyKey)
    const outcome = await sendDelivery(egress, request, hook, deadline)
    last = { request, outcome: message.mayBeRefused ? unlessRefused(outcome) : outcome }
    if (!isSuccess(last.outcome)) break
  }
  return last
}

function unlessRefused(outcome: Outcome): Outcome {
  if (outcome.kind !== 'responded' || outcome.status < 400 || outcome.status > 499) return outcome
  const { status, duration } = outcome
  return { kind: 'unsent', reason: `The other service has refused it with status ${status}`, duration }
}

const NO_USE: Outcome = {
  kind: 'unsent',
  reason: 'The other service has no use for this event',
  duration: 0,
}
