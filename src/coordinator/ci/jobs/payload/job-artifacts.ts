import type { PlannedArtifacts } from '../../../../ci-config/plan.js'
import type { JobArtifact } from '../../../../protocol/job-payload.js'
import { reportFile } from './report-files.js'

/** One archive if the job declares paths, and one file for each report (runner protocol, 2.10). */
export function jobArtifacts(planned: PlannedArtifacts | undefined): JobArtifact[] {
  if (!planned) return []
  const hasArchive = planned.paths.length > 0 || planned.untracked
  return [...(hasArchive ? [archive(planned)] : []), ...reports(planned)]
}

function archive(planned: PlannedArtifacts): JobArtifact {
  return {
    name: planned.name ?? null,
    untracked: planned.untracked,
    paths: planned.paths,
    ...(planned.exclude.length > 0 && { exclude: planned.exclude }),
    when: planned.when,
    expire_in: planned.expireIn ?? null,
    artifact_type: 'archive',
    artifact_format: 'zip',
  }
}

/** Reports are uploaded even if the script fails, because they describe failures. */
function reports({ reports: planned = {}, expireIn }: PlannedArtifacts): JobArtifact[] {
  return Object.entries(planned).map(([type, paths]) => {
    const { name, format } = reportFile(type)
    return {
      name,
      untracked: false,
      paths: paths ?? [],
      when: 'always',
      expire_in: expireIn ?? null,
      artifact_type: type,
      artifact_format: format,
    }
  })
}
