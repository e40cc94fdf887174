import { type Static, Type } from 'typebox'

import { messageOf } from '../../../lib/errors.js'
import { FAILURE_REASONS } from '../../../protocol/failure-reason.js'
import { type JobPayload, JobVariable } from '../../../protocol/job-payload.js'
import { ScriptStep } from '../../../protocol/script-step.js'
import { LimitState } from '../../trace/output-limit.js'
import type { JobOutcome } from '../outcome.js'

export const Stop = Type.Union([
  Type.Object({ kind: Type.Enum(['aborted', 'canceled']) }),
  Type.Object({ kind: Type.Enum(['timeout', 'script-timeout', 'prepare-timeout']), seconds: Type.Number() }),
  Type.Object({ kind: Type.Literal('interrupted'), by: Type.String() }),
  Type.Object({ kind: Type.Literal('broken'), problem: Type.String() }),
])

/** A `JobOutcome` as JSON. */
export const RecordedOutcome = Type.Union([
  Type.Object({ kind: Type.Literal('success') }),
  Type.Object({
    kind: Type.Literal('failed'),
    message: Type.String(),
    reason: Type.Enum(FAILURE_REASONS),
    exitCode: Type.Optional(Type.Integer()),
  }),
  Type.Object({ kind: Type.Literal('stopped'), stop: Stop }),
  Type.Object({ kind: Type.Literal('system-failure'), message: Type.String() }),
])
export type RecordedOutcome = Static<typeof RecordedOutcome>

export function recordOutcome(outcome: JobOutcome): RecordedOutcome {
  if (outcome.kind !== 'system-failure') return outcome
  return { kind: 'system-failure', message: messageOf(outcome.error) }
}

export function recallOutcome(recorded: RecordedOutcome): JobOutcome {
  if (recorded.kind !== 'system-failure') return recorded
  return { kind: 'system-failure', error: new Error(recorded.message) }
}

/** A job as received, and the values that were fixed before it began. */
export interface JournaledJob {
  /** URL of the coordinator. */
  url: string
  /** The `[[runners]] name`, and the recognizable part of its token. */
  runner: string
  tokenDigest: string
  payload: JobPayload
  concurrentId: number
  concurrentProjectId: number
  /** Time of receipt, in milliseconds since 1970. */
  receivedAt: number
}

/** An `UploadPlan` as JSON. */
export const RecordedUploadPlan = Type.Object({
  type: Type.String(),
  format: Type.Enum(['zip', 'gzip', 'raw']),
  fileName: Type.String(),
  query: Type.Object({
    expireIn: Type.Optional(Type.String()),
    format: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
  }),
})

/** A `StoredArtifact` as JSON. */
const StoredUpload = Type.Object({ file: Type.String(), plan: RecordedUploadPlan })

/** A hold of an ended job. Times are in milliseconds since 1970. */
export const RecordedHold = Type.Object({
  since: Type.Number(),
  /** When it ends. */
  until: Type.Number(),
  /** Until when it can be extended. */
  latest: Type.Number(),
  /** Whether the job keeps its slot. */
  keepsSlot: Type.Boolean(),
  /** Authenticates the runner in calls about the hold, after the token of the job has expired. */
  token: Type.Optional(Type.String()),
})
export type RecordedHold = Static<typeof RecordedHold>

/** The progress of a job. */
export const JobState = Type.Object({
  /** Outcomes of the completed steps. */
  done: Type.Record(Type.String(), RecordedOutcome),
  /** Size of the log in bytes when the last step completed. */
  traceSize: Type.Integer(),
  /** What the size limit left out of the log by then, or before the start of the script. */
  leftOut: Type.Optional(LimitState),
  /** Whether later bytes of the log may have been sent. */
  isLive: Type.Boolean(),
  /** The record that `Executor.adopt` needs. */
  environment: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** The stage whose script runs, and the size of the log in bytes before its first output. */
  script: Type.Optional(Type.Object({ stage: Type.String(), traceSize: Type.Integer() })),
  /** Variables that hold the resolved secrets of the job. */
  secrets: Type.Optional(Type.Array(JobVariable)),
  /** Keys of caches that could not be unpacked. */
  damagedCaches: Type.Optional(Type.Array(Type.String())),
  /** How the lines of the scripts ended. */
  scriptSteps: Type.Optional(Type.Array(ScriptStep)),
  outcome: Type.Optional(RecordedOutcome),
  /** Whether the coordinator has the outcome, so that the journal exists only for the hold. */
  isDelivered: Type.Optional(Type.Boolean()),
  hold: Type.Optional(RecordedHold),
  /** Artifacts that wait for the coordinator to be available. */
  artifacts: Type.Optional(Type.Array(StoredUpload)),
})
export type JobState = Static<typeof JobState>
