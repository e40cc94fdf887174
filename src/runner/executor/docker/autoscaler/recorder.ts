/** The figures of a machine at its end. */
export interface EndedInstance {
  /** Seconds from the record of the machine to its end. */
  lifetime: number
  /** Number of jobs that it got. */
  jobs: number
  /** Share of the time since it was ready in which it had no job, from 0 to 1. Undefined if it was never ready. */
  idleShare: number | undefined
}

/** Receives what happens to machines, for metrics. Its methods are cheap and do not throw. */
export interface AutoscalerRecorder {
  /** A machine became ready, or could not be created. `seconds`: since its record. */
  instanceCreated(pool: string, isReady: boolean, seconds: number): void
  instanceEnded(pool: string, figures: EndedInstance): void
  /** The numbers of machines, for every state. */
  instances(pool: string, counts: Readonly<Record<string, number>>): void
}

/** For a runner without metrics. */
export const NO_AUTOSCALER_RECORDER: AutoscalerRecorder = {
  instanceCreated() {},
  instanceEnded() {},
  instances() {},
}
