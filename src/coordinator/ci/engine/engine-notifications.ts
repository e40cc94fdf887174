import { EventEmitter } from 'node:events'

import type { JobRow, RunnerRow } from '../../database/tables/pipeline-rows.js'

/**
 * What the engine reports to this process, with what listeners get. All but `jobAssigned` and `traceGrown` follow the
 * commit of the change.
 */
interface Notifications {
  /** A runner received a job. */
  jobStarted: [job: JobRow, runner: RunnerRow]
  /** A job was assigned; milliseconds from a search of the queue to the response with it. */
  jobAssigned: [milliseconds: number]
  /** A job succeeded, failed or was canceled. */
  jobFinished: [job: JobRow]
  /** A delayed job starts at this time, in milliseconds since 1970. */
  jobScheduled: [at: number]
  /** An environment is stopped at this time, in milliseconds since 1970. */
  environmentStopScheduled: [at: number]
  /** `startGrantedJobs` may find jobs to start. */
  resourceFreed: []
  /** A job was taken from its runner, or must end. */
  runnerConcerned: [jobId: number]
  /** There are tasks for `BridgeWorker`. */
  bridgeTasksAdded: []
  /** Bytes were added to the log of a job, perhaps the first ones. */
  traceGrown: [job: Pick<JobRow, 'id' | 'project_id'>, isBegin: boolean]
}

/**
 * Notifications of the engine for the rest of the coordinator. Listeners run at once, in the order in which they were
 * added, and must not throw. Changes that belong to a transaction are `EngineEvents` instead.
 */
export class EngineNotifications extends EventEmitter<Notifications> {}
