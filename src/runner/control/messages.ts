import type { RegistrationView } from '../registrations/registration-view.js'
import type { RunningJob } from '../registrations/running-jobs.js'

/** Response to `GET /status`. */
export interface StatusMessage {
  version: string
  pid: number
  uptimeSeconds: number
  state: 'running' | 'paused' | 'draining'
  running: number
  concurrent: number
  entries: RegistrationView[]
}

/** Response to `GET /jobs`. */
export interface JobsMessage {
  jobs: JobMessage[]
}

export interface JobMessage extends Omit<RunningJob, 'since'> {
  since: string
  durationSeconds: number
}

/** Body of `POST /pause` and `POST /resume`. Without a name, the command applies to all registrations. */
export interface PauseRequest {
  runner?: string
}

/**
 * One line of the response to `POST /drain`. The first is sent at once, then one after each job that ends, until
 * the runner has stopped.
 */
export interface DrainMessage {
  running: number
  stopped: boolean
}

/** Body of an error response. */
export interface ErrorMessage {
  error: string
}
