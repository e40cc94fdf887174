/**
 * What an entry is doing. `polling`: a request for a job is open, or about to be; `full`: it runs as many jobs as it
 * may; `unhealthy`: it rests because the coordinator refused it; `paused`: somebody asked for that; `removed`: the
 * settings do not name it any more and its last jobs run; `draining`: the runner takes no more jobs.
 */
export type RegistrationState = 'polling' | 'full' | 'unhealthy' | 'paused' | 'removed' | 'draining'

/** One entry, for those who ask what the runner does. */
export interface RegistrationView {
  name: string
  url: string
  /** The short token. */
  token: string
  state: RegistrationState
  running: number
  limit: number | undefined
  openRequests: number
  /** Requests that may be open at a time: as the settings say, and as things go. */
  requestConcurrency: number
  allowedRequests: number
  /** Seconds until an unhealthy entry asks again. */
  restSeconds: number
  /** Seconds that the oldest open request has taken. */
  longestRequestSeconds: number
}

export interface RegistrationHealth extends RegistrationView {
  /** What is wrong with the place where its jobs run; undefined when it answers. */
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
