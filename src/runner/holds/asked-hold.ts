import { HOLD_VARIABLE } from '../../protocol/hold-variable.js'
import type { JobOutcome } from '../job/outcome.js'
import { choiceSetting, durationSetting } from '../variables/job-variables.js'

/** The variable with the length of the hold, such as `10m`. */
const HOLD_TIME = 'SWITCHYARD_HOLD_TIME'

/** After which outcomes a job wants to be held, and for how long. */
export interface AskedHold {
  after: 'failure' | 'always'
  /** Undefined: as the settings of the runner say. */
  seconds: number | undefined
}

/** Reads what is asked for from the variables of a job. Undefined if the job is not to be held. */
export function readAskedHold(
  values: ReadonlyMap<string, string>,
  maxSeconds: number,
  warn: (text: string) => void,
): AskedHold | undefined {
  const after = choiceSetting(values, HOLD_VARIABLE, ['failure', 'always', 'never'], 'never', warn)
  if (after === 'never') return undefined
  const shorter = (text: string) => warn(text.replace('the timeout of the job', 'the limit of the runner'))
  return { after, seconds: durationSetting(values, HOLD_TIME, maxSeconds, shorter) }
}

/**
 * Whether a job with this outcome is held. Not held is a job that somebody ended, that the runner had to end, or whose
 * environment failed: there is nothing to look at that the job has left.
 */
export function isHeldAfter({ after }: AskedHold, outcome: JobOutcome): boolean {
  switch (outcome.kind) {
    case 'success':
      return after === 'always'
    case 'failed':
      return true
    case 'stopped':
      return outcome.stop.kind === 'timeout' || outcome.stop.kind === 'script-timeout'
    case 'system-failure':
      return false
  }
}
