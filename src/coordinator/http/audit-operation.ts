import type { Caller, Project } from '../access/caller.js'
import type { AuditEvent } from '../database/tables/audit-events.js'
import { auditEventOf, auditEventsOf } from './audit.js'
import type { AuditedCall } from './audited-call.js'
import { answerOf } from './error-handler.js'
import type { Operation } from './operation.js'

/*
 * An event tells what came of a change, so that it is written after it. A note is kept from before the change until then:
 *
 *   note -> change -> event in place of the note
 *                  -> refused: the note goes
 *                  -> failed, or the coordinator was stopped: the note stays, and becomes an event that says so
 */

/** Keeps what people have done. */
export interface AuditTrail {
  /** What somebody is about to do. Answers the number of the note. */
  begin: (event: AuditEvent) => Promise<number>
  /** What came of it, in place of the note. */
  finish: (note: number, events: AuditEvent[]) => Promise<void>
}

/** Who is told of as the author of a change; nobody of what a job does in its own project, which its pipeline tells of. */
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

/** Runs what a person has asked for, and keeps that they have. */
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
  const result = await runNoted(trail, note, run)
  await trail.finish(note, auditEventsOf(operation, call, result, wasBefore))
  return result
}

async function runNoted(trail: AuditTrail, note: number, run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Error && answerOf(error).status < 500) await trail.finish(note, [])
    throw error
  }
}
