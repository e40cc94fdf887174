import { randomUUID } from 'node:crypto'

import type { Insertable } from 'kysely'

import { chunks } from '../../../../lib/chunks.js'
import type { HookDeliveryTable, HookEventTable } from '../../../database/tables/webhooks.js'
import type { Transaction } from '../../../database/transaction.js'
import { insertDeliveries, insertEvents } from '../delivery-store.js'
import { type HookRow, lockHooks } from '../hook-store.js'
import { currentChain } from './event-chain.js'
import { notifyOfNewDeliveries } from './new-deliveries.js'

/** An event and its subscribed hooks. */
export interface NewEvent {
  /** Null = an event of the instance. */
  projectId: number | null
  trigger: HookEventTable['trigger']
  kind: HookEventTable['kind']
  facts: object
  hooks: readonly Pick<HookRow, 'id'>[]
}

/** Maximum number of outbox rows per statement in both databases. */
const ROWS_PER_INSERT = 500
/** Maximum number of hooks in an event chain (API, K2). */
const MAX_CHAIN_LENGTH = 100

/**
 * Writes events in the transaction of the change, so that they are delivered if and only if it commits
 * (architecture, "Coordinator"). Hooks that the current event chain has already reached are skipped.
 */
export async function storeEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  const chain = await loadChain(tx)
  const heard = events
    .map((event) => ({ ...event, hooks: event.hooks.filter(({ id }) => !chain?.reached.has(id)) }))
    .filter(({ hooks }) => hooks.length > 0)
  if (heard.length === 0 || (chain && chain.reached.size >= MAX_CHAIN_LENGTH)) return
  for (const some of chunks(heard, ROWS_PER_INSERT)) await storeSome(tx, some, chain?.uuid)
  notifyOfNewDeliveries(tx)
}

async function storeSome(tx: Transaction, events: NewEvent[], chain: string | undefined): Promise<void> {
  const now = Date.now()
  // Inserted in the order of the events, so that their IDs ascend in this order.
  const ids = await insertEvents(
    tx,
    events.map((event) => eventRow(event, chain ?? randomUUID(), now)),
  )
  const present = await lockHooks(
    tx,
    events.flatMap(({ hooks }) => hooks.map(({ id }) => id)),
  )
  const deliveries = events.flatMap(({ hooks }, index) =>
    hooks.filter(({ id }) => present.has(id)).map(({ id }) => deliveryRow(id, ids[index] ?? 0, now)),
  )
  for (const some of chunks(deliveries, ROWS_PER_INSERT)) await insertDeliveries(tx, some)
}

function eventRow(
  { projectId, trigger, kind, facts }: NewEvent,
  uuid: string,
  now: number,
): Insertable<HookEventTable> {
  return { project_id: projectId, uuid, trigger, kind, facts: JSON.stringify(facts), created_at: now }
}

function deliveryRow(hookId: number, eventId: number, now: number): Insertable<HookDeliveryTable> {
  return {
    hook_id: hookId,
    event_id: eventId,
    idempotency_key: randomUUID(),
    due_at: now,
    created_at: now,
  }
}

interface Chain {
  uuid: string
  /** Hooks that have received events of the chain, or have pending deliveries of it. */
  reached: Set<number>
}

/** Undefined outside an event chain. */
async function loadChain(tx: Transaction): Promise<Chain | undefined> {
  const uuid = currentChain()
  if (uuid === undefined) return undefined
  const delivered = tx
    .selectFrom('hook_event')
    .innerJoin('hook_log', 'hook_log.event_id', 'hook_event.id')
    .select('hook_log.hook_id as id')
    .where('hook_event.uuid', '=', uuid)
  const waiting = tx
    .selectFrom('hook_event')
    .innerJoin('hook_delivery', 'hook_delivery.event_id', 'hook_event.id')
    .select('hook_delivery.hook_id as id')
    .where('hook_event.uuid', '=', uuid)
  const rows = await delivered.union(waiting).execute()
  return { uuid, reached: new Set(rows.map(({ id }) => id)) }
}
