import type { InstanceRecord } from './instance.js'

/** Receives what happens to machines, for metrics. Its methods are cheap and do not throw. */
export interface AutoscalerRecorder {
  /** A machine became ready, or could not be created. */
  instanceCreated(pool: string, isReady: boolean, seconds: number): void
  instanceEnded(pool: string, record: InstanceRecord, now: number): void
  /** The numbers of machines by state. */
  instances(pool: string, records: readonly InstanceRecord[]): void
}

/** For a runner without metrics. */
export const NO_AUTOSCALER_RECORDER: AutoscalerRecorder = {
  instanceCreated() {},
  instanceEnded() {},
  instances() {},
}
