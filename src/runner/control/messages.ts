import type { RegistrationView } from '../registrations/registration-view.js'
import type { RunningJob } from '../registrations/running-jobs.js'

/** Answer of `GET /status`. */
export interface StatusMessage {
  version: string
  pid: number
  uptimeSeconds: number
  state: 'running' | 'paused' | 'draining'
  running: number
  concurrent: number
  entries: RegistrationView[]
}

/** Answer of `GET /jobs`. */
export interface JobsMessage {
  jobs: JobMessage[]
}

export interface JobMessage extends Omit<RunningJob, 'since'> {
  since: string
  durationSeconds: number
}

/** Body of `POST /pause` and `POST /resume`: without a name, every entry. */
export interface PauseRequest {
  runner?: string
}

/**
 * One line of the answer of `POST /drain`, which goes on until the runner has stopped: one at once, then one whenever
 * a job has ended.
 */
export interface DrainMessage {
  running: number
  stopped: boolean
}

/** Body of an answer that is no success. */
export interface ErrorMessage {
  error: string
}
