import type { JobPayload } from '../../protocol/job-payload.js'

/** What tells the entries of a runner apart in its metrics (runner protocol, 9.7). */
export interface RegistrationLabels {
  /** The short token. */
  runner: string
  runner_name: string
  system_id: string
}

/** Hears of everything that is counted. Its methods are cheap and do not throw. */
export interface Recorder {
  jobReceived(entry: RegistrationLabels, job: JobPayload): void
  /** `failureReason` is undefined for a job that did not fail. */
  jobEnded(entry: RegistrationLabels, seconds: number, failureReason: string | undefined): void
  stageEnded(entry: RegistrationLabels, stage: string, seconds: number): void
  /** `path` is below `/api/v4/`. */
  callAnswered(entry: RegistrationLabels, method: string, path: string, status: number, seconds: number): void
  callRepeated(method: string, path: string): void
  /** An entry asks no more for a while, after refusals. */
  restBegan(entry: RegistrationLabels): void
  settingsLoaded(isGood: boolean): void
}

/** For a runner that nobody asks for metrics. */
export const NO_RECORDER: Recorder = {
  jobReceived() {},
  jobEnded() {},
  stageEnded() {},
  callAnswered() {},
  callRepeated() {},
  restBegan() {},
  settingsLoaded() {},
}
