import type { Project } from '../../access/caller.js'
import type { UserRow } from '../../database/tables/pipeline-rows.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import type { CommitStatus } from './schema.js'
import type { Member } from './store.js'

export interface StatusSurroundings {
  project: Project
  sha: string
  author: UserRow | undefined
  externalUrl: string
}

/** The details of a job are on its own page. An external system may give a URL of its own. */
export function presentStatus(member: Member, around: StatusSurroundings): CommitStatus {
  const { project, sha, author, externalUrl } = around
  const { row } = member
  return {
    id: row.id,
    sha,
    ref: row.ref,
    status: row.status,
    name: row.name,
    target_url:
      member.kind === 'job' ? `${externalUrl}/${project.full_path}/-/jobs/${row.id}` : member.row.target_url,
    description: member.kind === 'job' ? null : member.row.description,
    created_at: isoTime(row.created_at),
    started_at: isoTimeOrNull(row.started_at),
    finished_at: isoTimeOrNull(row.finished_at),
    allow_failure: member.kind === 'job' ? member.row.allow_failure : false,
    coverage: row.coverage,
    pipeline_id: row.pipeline_id,
    author: author ? presentUser(author, externalUrl) : null,
  }
}
