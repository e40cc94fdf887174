import { type Static, Type } from 'typebox'

import { messageOf } from '../../../lib/errors.js'
import { FAILURE_REASONS } from '../../../protocol/failure-reason.js'
import { type JobPayload, JobVariable } from '../../../protocol/job-payload.js'
import { LimitState } from '../../trace/limit-state.js'
import type { JobOutcome } from '../outcome.js'

const Stop = Type.Union([
  Type.Object({ kind: Type.Enum(['aborted', 'canceled']) }),
  Type.Object({ kind: Type.Enum(['timeout', 'script-timeout', 'prepare-timeout']), seconds: Type.Number() }),
  Type.Object({ kind: Type.Literal('interrupted'), by: Type.String() }),
  Type.Object({ kind: Type.Literal('broken'), problem: Type.String() }),
])

/** A `JobOutcome` in JSON. */
const RecordedOutcome = Type.Union([
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
type RecordedOutcome = Static<typeof RecordedOutcome>

export function recordOutcome(outcome: JobOutcome): RecordedOutcome {
  if (outcome.kind !== 'system-failure') return outcome
  return { kind: 'system-failure', message: messageOf(outcome.error) }
}

export function recallOutcome(recorded: RecordedOutcome): JobOutcome {
  if (recorded.kind !== 'system-failure') return recorded
  return { kind: 'system-failure', error: new Error(recorded.message) }
}

/** A job as it came, and what was settled before it began. */
export interface JournaledJob {
  /** Address of the coordinator. */
  url: string
  /** `[[runners]] name`, and what its token is known by. */
  runner: string
  tokenDigest: string
  payload: JobPayload
  concurrentId: number
  concurrentProjectId: number
  /** Milliseconds since 1970. */
  receivedAt: number
}

/** A `StoredArtifact` in JSON. */
const StoredUpload = Type.Object({
  file: Type.String(),
  plan: Type.Object({
    type: Type.String(),
    format: Type.Enum(['zip', 'gzip', 'raw']),
    fileName: Type.String(),
    query: Type.Object({
      expireIn: Type.Optional(Type.String()),
      format: Type.Optional(Type.String()),
      type: Type.Optional(Type.String()),
    }),
  }),
})

/** How far a job has come. */
export const JobState = Type.Object({
  /** Outcomes of the steps that are done. */
  done: Type.Record(Type.String(), RecordedOutcome),
  /** Bytes of the trace when the last of them was done. */
  traceSize: Type.Integer(),
  /** What the trace's limit left out by then, or by the start of the script. */
  leftOut: Type.Optional(LimitState),
  /** Whether bytes after those may have been sent. */
  isLive: Type.Boolean(),
  /** What `Executor.adopt` needs. */
  environment: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** The stage whose script runs; bytes of the trace before its first output. */
  script: Type.Optional(Type.Object({ stage: Type.String(), traceSize: Type.Integer() })),
  /** What the secrets of the job turned out to be. */
  secrets: Type.Optional(Type.Array(JobVariable)),
  /** Keys of caches that could not be unpacked. */
  damagedCaches: Type.Optional(Type.Array(Type.String())),
  outcome: Type.Optional(RecordedOutcome),
  /** Artifacts that the coordinator was not there to take. */
  artifacts: Type.Optional(Type.Array(StoredUpload)),
})
export type JobState = Static<typeof JobState>
