import { type Static, Type } from 'typebox'

import type { JobPayload } from '../../protocol/job-payload.js'
import { RecordedOutcome } from './recorded-outcome.js'

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

/** How far a job has come. */
export const JobState = Type.Object({
  /** Outcomes of the steps that are done. */
  done: Type.Record(Type.String(), RecordedOutcome),
  /** Bytes of the trace when the last of them was done. */
  traceSize: Type.Integer(),
  /** Whether bytes after those may have been sent. */
  isLive: Type.Boolean(),
  /** What `Executor.adopt` needs. */
  environment: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** The stage whose script runs; bytes of the trace before its first output. */
  script: Type.Optional(Type.Object({ stage: Type.String(), traceSize: Type.Integer() })),
  outcome: Type.Optional(RecordedOutcome),
})
export type JobState = Static<typeof JobState>
