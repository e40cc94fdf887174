import { type Static, Type } from 'typebox'

import { type JobPayload, JobVariable } from '../../../protocol/job-payload.js'
import { LimitState } from '../../trace/limit-state.js'
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
