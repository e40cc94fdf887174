import type { JobPayload } from '../../protocol/job-payload.js'

/**
 * Whether the ref of the job is protected, as reported by the coordinator (architecture, decision 11). If
 * `git_info` does not report it, the first variable decides, because a job cannot set that variable.
 */
export function isProtectedJob(payload: JobPayload): boolean {
  const said = payload.variables.find(({ key }) => key === 'CI_COMMIT_REF_PROTECTED')?.value === 'true'
  return payload.git_info.protected ?? said
}
