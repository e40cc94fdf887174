import type { HoldView } from '../holds/held-job.js'
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

/** Response to `GET /holds`, and to the commands for one hold. */
export interface HoldsMessage {
  holds: HoldMessage[]
}

export interface HoldMessage extends Omit<HoldView, 'since' | 'until' | 'latest'> {
  since: string
  until: string
  latest: string
}

/** Body of `POST /holds/end` and `POST /holds/extend`. `runner`: the name of the registration, if several have this job. */
export interface HoldRequest {
  job: number
  runner?: string
  /** For `extend`: how long the job is held from now on. */
  seconds?: number
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
