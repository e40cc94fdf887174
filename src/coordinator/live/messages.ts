import type { Job, WaitingFor } from '../ci/jobs/schema.js'
import type { Pipeline } from '../ci/pipelines/schema.js'
import type { JobStatus } from '../database/tables/job-columns.js'
import type { CompositeStatus } from '../database/tables/pipelines.js'

/** The data of each event of `GET /live`, by the name of the event. */
export interface LiveMessages {
  /** The first event of a stream. */
  hello: HelloMessage
  /** A pipeline, or one of its stages, was created or has changed. */
  pipeline: PipelineMessage
  'pipeline-deleted': PipelineDeletedMessage
  /** Jobs of a pipeline were created or have changed. */
  jobs: JobsMessage
  /** A job has changed. */
  job: Job
  trace: TraceMessage
  /** No more of the log is expected. */
  'trace-end': TraceEndMessage
  /** Topics that the caller may no longer read; they are removed from the stream. */
  refused: RefusedMessage
  /** Some changes of these topics were not sent: read their data again. */
  reset: ResetMessage
}

export type LiveEventName = keyof LiveMessages

export interface HelloMessage {
  /** Version of the coordinator. */
  build: string
  /** Names of the topics of this stream; a log without its offset, such as `trace/5`. */
  topics: string[]
  refused: RefusedTopic[]
}

export interface RefusedTopic {
  topic: string
  /** The HTTP status with which reading it is refused. */
  status: 401 | 403 | 404
}

export interface PipelineMessage extends Pipeline {
  stages: StageState[]
  /** The version of the pipeline and its jobs, as in a cursor. */
  version: number
}

export interface StageState {
  name: string
  status: CompositeStatus
}

export interface PipelineDeletedMessage {
  id: number
  project_id: number
}

export interface JobsMessage {
  pipeline_id: number
  project_id: number
  /** The version of the pipeline and its jobs, as in a cursor. */
  version: number
  /** A job replaces the one with the same name. */
  jobs: PipelineJob[]
}

export interface PipelineJob {
  id: number
  name: string
  stage: string
  status: JobStatus
  kind: 'build' | 'bridge'
  when: string
  allow_failure: boolean
  created_at: string
  queued_at: string | null
  started_at: string | null
  finished_at: string | null
  scheduled_at: string | null
  failure_reason: string | null
  coverage: number | null
  runner_id: number | null
}

export interface WaitingMessage {
  job_id: number
  waiting_for: WaitingFor | null
}

/** A part of a log. Exactly one of `text` and `base64` is present. */
export interface TraceMessage {
  job_id: number
  /** Position of the first byte in the log. */
  offset: number
  /** Number of bytes. */
  bytes: number
  /** The bytes as text, if they are whole characters in UTF-8. */
  text?: string
  base64?: string
}

export interface TraceEndMessage {
  job_id: number
  /** Size of the log, in bytes. */
  bytes: number
  /** Whether the log was deleted. */
  erased: boolean
}

export interface RefusedMessage {
  topics: RefusedTopic[]
}

export interface ResetMessage {
  topics: string[]
}
