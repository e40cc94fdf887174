import type { JobPayload } from '../../protocol/job-payload.js'

/**
 * Whether the job's ref is protected, as the coordinator says (architecture, decision 11). For those that do not say it
 * in `git_info`, the first variable counts, as no job can set that one.
 */
export function isProtectedJob(payload: JobPayload): boolean {
  const said = payload.variables.find(({ key }) => key === 'CI_COMMIT_REF_PROTECTED')?.value === 'true'
  return payload.git_info.protected ?? said
}
