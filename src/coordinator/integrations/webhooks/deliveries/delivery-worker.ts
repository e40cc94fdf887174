import { randomUUID } from 'node:crypto'

import type { Logger } from '../../../../lib/logger.js'
import { ScheduleTimer } from '../../../background/schedule-timer.js'
import {
  findEvent,
  findNextDelivery,
  findWaitingHooks,
  postponeDelivery,
  type WaitingHook,
} from '../delivery-store.js'
import { alertStatus } from '../hook-health.js'
import { claimHook, type HookRow, releaseHook } from '../hook-store.js'
import { onNewDeliveries } from '../outbox/new-deliveries.js'
import { attemptDelivery, type AttemptDeps } from './attempt-delivery.js'

export interface DeliveryTimings {
  /** Lease of a hook, in milliseconds; longer than a delivery takes. */
  lease: number
  /** Delays before the retries of a delivery without a response. */
  retries: readonly number[]
  /** Delay before a hook or an event is tried again after an internal error. */
  rest: number
}

export interface DeliveryWorkerDeps extends AttemptDeps {
  logger: Logger
  /** In milliseconds; absent = the production values. */
  timings?: DeliveryTimings
}

const TIMINGS: DeliveryTimings = {
  lease: 20_000,
  retries: [10_000, 60_000, 300_000],
  rest: 30_000,
}
/**
 * Maximum number of hooks that are served concurrently. Each gets one event at a time, so that a slow hook
 * delays no other.
 */
const HOOKS_AT_ONCE = 32
/** Maximum number of deliveries to one hook before its slot is released to other hooks. */
const DELIVERIES_PER_TURN = 20

/**
 * Delivers the events of the outbox to webhooks. Every coordinator runs such a worker. The worker that holds
 * the lease of a hook delivers to it, one event after the other, so that events arrive in order. A failed
 * delivery is retried later and does not block the ones after it. When a coordinator dies, another delivers
 * its events once the lease expires: each event arrives at least once, under the same key.
 *
 *     wake, or a delivery is due ──▶ poll: claim hooks, up to the limit ──▶ deliver to each ──▶ release, wake
 */
export class DeliveryWorker {
  private readonly owner = randomUUID()
  private readonly underWay = new Map<number, Promise<void>>()
  /** Hooks with an internal error, and the end of their pause in milliseconds since the epoch. */
  private readonly resting = new Map<number, number>()
  private readonly timings: DeliveryTimings
  private readonly timer: ScheduleTimer
  private isStopping = false

  constructor(private readonly deps: DeliveryWorkerDeps) {
    this.timings = deps.timings ?? TIMINGS
    const startDue = (): Promise<number | undefined> => this.poll()
    this.timer = new ScheduleTimer({ of: 'Webhook deliveries', startDue, logger: deps.logger })
    onNewDeliveries(deps.database, () => this.wake())
  }

  /** Wakes the worker: there are new deliveries. */
  wake(): void {
    this.timer.schedule(0)
  }

  /** Resolves after `signal` has aborted and the running deliveries are finished. */
  async run(signal: AbortSignal): Promise<void> {
    await this.timer.run(signal)
    this.isStopping = true
    await Promise.all(this.underWay.values())
  }

  /** Starts deliveries to the hooks that are due. Returns the time of the next poll. */
  private async poll(): Promise<number | undefined> {
    const now = Date.now()
    let next: number | undefined
    for (const hook of await findWaitingHooks(this.deps.database)) {
      if (this.underWay.has(hook.id)) continue
      const readyAt = this.readyAt(hook)
      if (readyAt > now) next = Math.min(next ?? Infinity, readyAt)
      else if (this.underWay.size < HOOKS_AT_ONCE) this.begin(hook.id)
    }
    return next
  }

  private readyAt({ id, due_at, lease_until, disabled_until }: WaitingHook): number {
    return Math.max(due_at, lease_until ?? 0, disabled_until ?? 0, this.resting.get(id) ?? 0)
  }

  private begin(hookId: number): void {
    this.resting.delete(hookId)
    const work = this.deliver(hookId)
      .catch((error: unknown) => {
        this.resting.set(hookId, Date.now() + this.timings.rest)
        this.deps.logger.error({ err: error, hook: hookId }, 'Webhook delivery failed; it will be retried')
      })
      .finally(() => {
        this.underWay.delete(hookId)
        this.wake()
      })
    this.underWay.set(hookId, work)
  }

  private async deliver(hookId: number): Promise<void> {
    for (let delivered = 0; delivered < DELIVERIES_PER_TURN && !this.isStopping; delivered++) {
      const hook = await this.claim(hookId)
      if (!hook) return
      if (!(await this.deliverNext(hook))) break
    }
    await releaseHook(this.deps.database, hookId, this.owner)
  }

  /** Claims the hook or renews its lease; undefined if another worker holds it, or the hook was deleted. */
  private claim(hookId: number): Promise<HookRow | undefined> {
    const now = Date.now()
    return claimHook(this.deps.database, hookId, this.owner, { now, until: now + this.timings.lease })
  }

  /** Delivers the next event. Returns whether more may be pending. */
  private async deliverNext(hook: HookRow): Promise<boolean> {
    const now = Date.now()
    if (alertStatus(hook, now) !== 'executable') return false
    const delivery = await findNextDelivery(this.deps.database, hook.id, now)
    if (!delivery) return false
    try {
      const event = await findEvent(this.deps.database, delivery.event_id)
      if (!event) return true
      const retryIn = this.timings.retries[delivery.attempts]
      await attemptDelivery(this.deps, hook, event, { delivery, retryIn })
    } catch (error) {
      // An internal error on one event must not block the events behind it.
      this.deps.logger.error(
        { err: error, hook: hook.id, event: delivery.event_id },
        'A webhook event is waiting for delivery',
      )
      await postponeDelivery(this.deps.database, delivery.id, now + this.timings.rest)
    }
    return true
  }
}
