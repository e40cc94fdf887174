import type { PlannedArtifacts } from '../../../../ci-config/plan.js'
import type { JobArtifact } from '../../../../protocol/job-payload.js'

/** One archive when there is anything to put in it (runner protocol, 2.10). */
export function jobArtifacts(planned: PlannedArtifacts | undefined): JobArtifact[] {
  if (!planned || (planned.paths.length === 0 && !planned.untracked)) return []
  return [
    {
      name: planned.name ?? null,
      untracked: planned.untracked,
      paths: planned.paths,
      ...(planned.exclude.length > 0 && { exclude: planned.exclude }),
      when: planned.when,
      expire_in: planned.expireIn ?? null,
      artifact_type: 'archive',
      artifact_format: 'zip',
    },
  ]
}
