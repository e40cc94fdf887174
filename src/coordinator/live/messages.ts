import type { Job, WaitingFor } from '../ci/jobs/schema.js'
import type { GraphJob, PipelineState } from '../ci/pipelines/graph/schema.js'
import type { Pipeline } from '../ci/pipelines/schema.js'
import type { RunnerSummary } from '../ci/runners/schema.js'

/** The data of each event of `GET /live`, by the name of the event. */
export interface LiveMessages {
  /** The first event of a stream. */
  hello: HelloMessage
  /** A pipeline, or one of its stages, was created or has changed. */
  pipeline: PipelineMessage
  'pipeline-deleted': PipelineDeletedMessage
  /** The settings of a project have changed. */
  project: ProjectMessage
  /** Jobs of a pipeline were created or have changed. */
  jobs: JobsMessage
  /** A job has changed. */
  job: Job
  /** Why a job waits, while it does. */
  waiting: WaitingMessage
  trace: TraceMessage
  /** No more of the log is expected. */
  'trace-end': TraceEndMessage
  /** The to-do items of the user have changed. */
  todos: TodosMessage
  /** An issue, one of its comments, or an emoji of these has changed. */
  issue: PlannedMessage
  /** A merge request, one of its comments, or an emoji of these has changed. */
  'merge-request': PlannedMessage
  /** An epic, one of its comments, or what is in it has changed. */
  epic: PlannedMessage
  /** A snippet, one of its comments, or an emoji of these has changed. */
  snippet: PlannedMessage
  'issue-deleted': PlannedMessage
  'merge-request-deleted': PlannedMessage
  'epic-deleted': PlannedMessage
  'snippet-deleted': PlannedMessage
  /** Pages of a wiki were written, renamed or deleted. */
  wiki: WikiMessage
  /** A runner was seen after a while, has changed, or has begun or ended a job. */
  runner: RunnerMessage
  'runner-deleted': RunnerDeletedMessage
  /** The queue of the runners of a topic has changed. */
  queue: QueueMessage
  /** Topics that the caller may no longer read; they are removed from the stream. */
  refused: RefusedMessage
  /** Some changes of these topics were not sent: read their data again. */
  reset: ResetMessage
}

export type LiveEventName = keyof LiveMessages

interface HelloMessage {
  /** ID of the build of the pages: a page of another one is out of date. */
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

/** The record of a pipeline, with the state that its graph shows. */
export type PipelineMessage = Pipeline & Pick<PipelineState, 'stages' | 'version'>

interface PipelineDeletedMessage {
  id: number
  project_id: number
}

interface ProjectMessage {
  id: number
}

interface JobsMessage {
  pipeline_id: number
  project_id: number
  /** The version of the graph, as in a cursor. */
  version: number
  /**
   * The jobs as in the graph, with the times at which their logs began. One replaces the one with the same name;
   * `external` ones have names of their own.
   */
  jobs: GraphJob[]
}

interface WaitingMessage {
  job_id: number
  /** Null while the reason is not known. */
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
  /** Bytes after them that the job has written and that are gone, because the log is damaged. */
  missing_bytes: number
  /** Whether the log was deleted. */
  erased: boolean
}

interface TodosMessage {
  /** Number of pending items. */
  count: number
}

interface PlannedMessage {
  /** ID of the record, which is not its number. */
  id: number
}

interface WikiMessage {
  /** The topic, such as `wiki/project/5`. */
  topic: string
}

/** The record of a runner in a list. */
export type RunnerMessage = RunnerSummary & {
  contacted_at: string | null
  /** Number of jobs that it runs. */
  running_jobs: number
}

interface RunnerDeletedMessage {
  id: number
}

interface QueueMessage {
  /** The topic, such as `runners/project/5`. */
  topic: string
  /** Number of jobs that wait for a runner: of the instance, of the project, or of the projects of the group. */
  length: number
}

interface RefusedMessage {
  topics: RefusedTopic[]
}

interface ResetMessage {
  topics: string[]
}
