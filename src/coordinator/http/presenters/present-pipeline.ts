import { type Static, Type } from 'typebox'

import { described } from '../parameters/described.js'
import { isoTime } from './present-time.js'

/** A pipeline as other records embed it, and the common fields of its own record. */
export const PipelineBrief = Type.Object({
  id: described(Type.Integer(), 'Number of the pipeline.'),
  iid: described(Type.Integer(), 'ID within the project.'),
  project_id: described(Type.Integer(), 'Number of the project.'),
  sha: described(Type.String(), 'Id of the commit that it runs on.'),
  ref: described(Type.String(), 'Branch or tag that it runs for, without `refs/heads/`.'),
  status: described(
    Type.String(),
    'Status, such as `pending`, `running`, `success`, `failed` or `canceled`.',
  ),
  source: described(Type.String(), 'Source, such as `push`, `web`, `schedule` or `api`.'),
  created_at: described(Type.String(), 'When it was created: ISO 8601, UTC.'),
  updated_at: described(Type.String(), 'When it last changed: ISO 8601, UTC.'),
  web_url: described(Type.String(), 'Address of its page.'),
})
export type PipelineBrief = Static<typeof PipelineBrief>

/** The columns that the record is built from; times in milliseconds since 1970. */
type Row = Omit<PipelineBrief, 'created_at' | 'updated_at' | 'web_url'> & {
  created_at: number
  updated_at: number
}

/** `projectUrl` is the URL of the project's pages, without a trailing slash. */
export function presentPipelineBrief(row: Row, projectUrl: string): PipelineBrief {
  const { id, iid, project_id, sha, ref, status, source, created_at, updated_at } = row
  return {
    id,
    iid,
    project_id,
    sha,
    ref,
    status,
    source,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
    web_url: `${projectUrl}/-/pipelines/${id}`,
  }
}
