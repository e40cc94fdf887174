import { randomUUID } from 'node:crypto'

import type { Group, Project, User } from '../../access/caller.js'
import type { AnyTrigger, HookTrigger } from '../../database/tables/webhooks.js'
import { type ApiError, apiError, notFound } from '../../http/errors.js'
import { attemptDelivery, type AttemptDeps, type Purpose } from './deliveries/attempt-delivery.js'
import type { Outcome } from './deliveries/send-delivery.js'
import { type EventRow, findLoggedEvent, insertEvent } from './delivery-store.js'
import { groupSampleOf } from './group-samples.js'
import type { HookRow } from './hook-store.js'
import { type Sample, type SampleDeps, sampleOf } from './samples.js'

export interface TryDeps {
  deliveries: AttemptDeps
  samples: SampleDeps
}

/**
 * Sends a sample event to the hook. Any response is passed on; a success enables a disabled hook.
 * Throws 422 if the project has no data for a sample, or no response arrives (API, K1).
 */
export async function tryHook(
  { deliveries, samples }: TryDeps,
  project: Project,
  user: User,
  hook: HookRow,
  trigger: HookTrigger,
): Promise<void> {
  const sample = await sampleOf(samples, project, user, trigger)
  await trySample(deliveries, hook, trigger, { sample, projectId: project.id })
}

/** As `tryHook`, for the hook of a group, with the data of the group or of one of its projects. */
export async function tryGroupHook(
  { deliveries, samples }: TryDeps,
  group: Group,
  user: User,
  hook: HookRow,
  trigger: AnyTrigger,
): Promise<void> {
  await trySample(deliveries, hook, trigger, await groupSampleOf(samples, group, user, trigger))
}

async function trySample(
  deliveries: AttemptDeps,
  hook: HookRow,
  trigger: AnyTrigger,
  { sample, projectId }: { sample: Sample; projectId: number | null },
): Promise<void> {
  if (typeof sample === 'string') throw unprocessable(sample)
  const event = await insertEvent(deliveries.database, {
    project_id: projectId,
    uuid: randomUUID(),
    trigger,
    kind: sample.kind,
    facts: JSON.stringify(sample.facts),
    created_at: Date.now(),
  })
  await deliverNow(deliveries, hook, event, 'test')
}

/** Payload of a test of a system hook (API, K1). */
export const SYSTEM_SAMPLE = {
  event_name: 'project_create',
  name: 'Ruby',
  path: 'ruby',
  project_id: 1,
  owner_name: 'Someone',
  owner_email: 'example@example.com',
}

/** As `tryHook`, for a system hook; returns the payload. */
export async function trySystemHook(
  { deliveries }: Pick<TryDeps, 'deliveries'>,
  hook: HookRow,
): Promise<typeof SYSTEM_SAMPLE> {
  const event = await insertEvent(deliveries.database, {
    project_id: null,
    uuid: randomUUID(),
    trigger: 'system_events',
    kind: 'plain',
    facts: JSON.stringify(SYSTEM_SAMPLE),
    created_at: Date.now(),
  })
  await deliverNow(deliveries, hook, event)
  return SYSTEM_SAMPLE
}

/**
 * Sends an earlier delivery again and returns the response status. Throws 404, and 422 if no response
 * arrives.
 */
export async function resend(
  { deliveries }: Pick<TryDeps, 'deliveries'>,
  hook: HookRow,
  logId: number,
): Promise<number> {
  const event = await findLoggedEvent(deliveries.database, hook.id, logId)
  if (!event) throw notFound()
  return deliverNow(deliveries, hook, event)
}

async function deliverNow(
  deliveries: AttemptDeps,
  hook: HookRow,
  event: EventRow,
  purpose: Purpose = 'event',
): Promise<number> {
  return statusOf(await attemptDelivery(deliveries, hook, event, { purpose }))
}

function statusOf(outcome: Outcome): number {
  if (outcome.kind === 'responded') return outcome.status
  if (outcome.kind === 'sent') return 200
  throw unprocessable(outcome.reason)
}

function unprocessable(reason: string): ApiError {
  return apiError('hook_test_failed', { reason })
}
