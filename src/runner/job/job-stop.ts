import { formatDuration } from '../../lib/duration.js'
import { SwitchyardError } from '../../lib/errors.js'

/** Why a job, or its script, does not run to its own end. */
export type Stop =
  /** The coordinator has already ended the job: nothing of it is wanted any more. */
  | { kind: 'aborted' }
  /** Someone canceled it: what cleans up after the script still runs. */
  | { kind: 'canceled' }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'script-timeout'; seconds: number }
  | { kind: 'prepare-timeout'; seconds: number }
  /** The runner itself is told to stop, by a signal for example. */
  | { kind: 'interrupted'; by: string }
  /** The runner cannot go on, for example because its disk is full. */
  | { kind: 'broken'; problem: string }

/** The reason that the signals of a job abort with. */
export class JobStopError extends SwitchyardError {
  readonly name = 'JobStopError'
  readonly code = 'JOB_STOPPED'

  constructor(readonly stop: Stop) {
    super(describe(stop))
  }
}

function describe(stop: Stop): string {
  switch (stop.kind) {
    case 'aborted':
    case 'canceled':
      return 'canceled'
    case 'timeout':
    case 'script-timeout':
      return `execution took longer than ${formatDuration(stop.seconds)} seconds`
    case 'prepare-timeout':
      return `preparing the executor took longer than ${formatDuration(stop.seconds)} (prepare_timeout of the runner)`
    case 'interrupted':
      return `aborted: ${stop.by}`
    case 'broken':
      return stop.problem
  }
}
