import type { HostView } from '../executor/executor.js'

/**
 * The state of a registration:
 *
 * - `polling`: a job request is open, or about to be
 * - `full`: it runs as many jobs as allowed
 * - `unhealthy`: it pauses because the coordinator refused it
 * - `paused`: an administrator paused it
 * - `removed`: it is no longer in the settings, and its last jobs are running
 * - `draining`: the runner accepts no more jobs
 */
export type RegistrationState = 'polling' | 'full' | 'unhealthy' | 'paused' | 'removed' | 'draining'

/** One registration, for status commands and metrics. */
export interface RegistrationView {
  name: string
  url: string
  /** The short token. */
  token: string
  state: RegistrationState
  running: number
  limit: number | undefined
  /** The machines that run its jobs. Undefined if there is only one. */
  hosts?: HostView[] | undefined
  openRequests: number
  /** Maximum number of open requests: as configured, and currently. */
  requestConcurrency: number
  allowedRequests: number
  /** Seconds until an unhealthy registration makes its next request. */
  restSeconds: number
  /** Age of the oldest open request, in seconds. */
  longestRequestSeconds: number
}

export interface RegistrationHealth extends RegistrationView {
  /** The problem of the engine that runs its jobs. Undefined if it responds. */
  engineProblem: string | undefined
}

export interface RegistrationFacts {
  isWanted: boolean
  isPaused: boolean
  isDraining: boolean
  rest: number
  running: number
  limit: number | undefined
}

export function registrationState(facts: RegistrationFacts): RegistrationState {
  if (!facts.isWanted) return 'removed'
  if (facts.isDraining) return 'draining'
  if (facts.isPaused) return 'paused'
  if (facts.rest > 0) return 'unhealthy'
  return facts.limit !== undefined && facts.running >= facts.limit ? 'full' : 'polling'
}
