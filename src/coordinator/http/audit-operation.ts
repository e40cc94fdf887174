import type { Caller, Project } from '../access/caller.js'
import type { AuditEvent } from '../database/tables/audit-events.js'
import { auditEventOf, auditEventsOf } from './audit.js'
import type { AuditedCall } from './audited-call.js'
import { responseOf } from './error-handler.js'
import type { Operation } from './operation.js'

/*
 * An audit event records the result of a change, so it is written after the change. A pending entry covers
 * the time between:
 *
 *   pending entry -> change -> event replaces the entry
 *                           -> refused: the entry is deleted
 *                           -> failed, or the coordinator stopped: the entry becomes an event of a failed change
 */

/** Stores audit events. */
export interface AuditTrail {
  /** Writes a pending entry for an operation that is about to run. Returns the id of the entry. */
  begin: (event: AuditEvent) => Promise<number>
  /** Replaces the pending entry with the resulting events. */
  finish: (note: number, events: AuditEvent[]) => Promise<void>
}

/**
 * The author that the audit event names. Undefined for jobs that act on their own project; their pipeline
 * records that.
 */
export function authorOf(
  caller: Caller,
  project: Project | undefined,
): Pick<AuditedCall, 'author' | 'sudoBy' | 'tokenId' | 'jobId'> | undefined {
  switch (caller.kind) {
    case 'anonymous':
      return undefined
    case 'user':
      return { author: caller.user, sudoBy: caller.sudoBy, tokenId: caller.tokenId }
    case 'job': {
      const { user, job } = caller
      const isOwn = project === undefined || project.id === job.project_id
      return isOwn ? undefined : { author: user, sudoBy: undefined, tokenId: undefined, jobId: job.id }
    }
  }
}

/** Runs an operation of a user and records it in the audit trail. */
export async function audited(
  operation: Operation,
  trail: AuditTrail,
  call: AuditedCall,
  { before, run }: { before: () => Promise<unknown>; run: () => Promise<unknown> },
): Promise<unknown> {
  const intended = auditEventOf(operation, call, undefined)
  if (!intended) return run()
  const wasBefore = await before()
  const note = await trail.begin(intended)
  const result = await runAudited(trail, note, run)
  await trail.finish(note, auditEventsOf(operation, call, result, wasBefore))
  return result
}

async function runAudited(trail: AuditTrail, note: number, run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Error && responseOf(error).status < 500) await trail.finish(note, [])
    throw error
  }
}
