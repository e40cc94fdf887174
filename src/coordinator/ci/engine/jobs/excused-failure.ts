import type { JobOptions } from '../../../../ci-config/plan.js'
import type { JobEnd } from './job-end.js'

/** `allow_failure:exit_codes` is evaluated when the job fails (CI language, 3.3). */
export function isExcused(
  { allowFailureCodes }: Pick<JobOptions, 'allowFailureCodes'>,
  end: JobEnd,
): boolean {
  if (end.status !== 'failed' || end.exit_code === undefined) return false
  return allowFailureCodes?.includes(end.exit_code) ?? false
}
