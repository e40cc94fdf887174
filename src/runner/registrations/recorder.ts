import type { JobPayload } from '../../protocol/job-payload.js'
import { type AutoscalerRecorder, NO_AUTOSCALER_RECORDER } from '../executor/docker/autoscaler/recorder.js'

export type { AutoscalerRecorder, EndedInstance } from '../executor/docker/autoscaler/recorder.js'

/** The labels that distinguish registrations in metrics (runner protocol, 9.7). */
export interface RegistrationLabels {
  /** The short token. */
  runner: string
  runner_name: string
  system_id: string
}

/** Receives all events that are counted. Its methods are cheap and do not throw. */
export interface Recorder extends AutoscalerRecorder {
  jobReceived(entry: RegistrationLabels, job: JobPayload): void
  /** `failureReason` is undefined for a job that did not fail. */
  jobEnded(entry: RegistrationLabels, seconds: number, failureReason: string | undefined): void
  stageEnded(entry: RegistrationLabels, stage: string, seconds: number): void
  /** `path` is relative to `/api/v4/`. */
  callEnded(entry: RegistrationLabels, method: string, path: string, status: number, seconds: number): void
  callRepeated(method: string, path: string): void
  /** The registration begins to pause after refusals. */
  restBegan(entry: RegistrationLabels): void
  settingsLoaded(isGood: boolean): void
}

/** For a runner without metrics. */
export const NO_RECORDER: Recorder = {
  ...NO_AUTOSCALER_RECORDER,
  jobReceived() {},
  jobEnded() {},
  stageEnded() {},
  callEnded() {},
  callRepeated() {},
  restBegan() {},
  settingsLoaded() {},
}
