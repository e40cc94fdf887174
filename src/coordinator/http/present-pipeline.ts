import { type Static, Type } from 'typebox'

import { isoTime } from './present-time.js'

/** A pipeline as other records embed it, and the beginning of its own. */
export const PipelineBrief = Type.Object({
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  sha: Type.String(),
  ref: Type.String(),
  status: Type.String(),
  source: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  web_url: Type.String(),
})
export type PipelineBrief = Static<typeof PipelineBrief>

/** What it takes of a pipeline's row; times in milliseconds since 1970. */
type Row = Omit<PipelineBrief, 'created_at' | 'updated_at' | 'web_url'> & {
  created_at: number
  updated_at: number
}

/** `projectUrl` is the address of the project's pages, without a trailing slash. */
export function presentPipelineBrief(row: Row, projectUrl: string): PipelineBrief {
  const { id, iid, project_id, sha, ref, status, source, created_at, updated_at } = row
  return {
    ...{ id, iid, project_id, sha, ref, status, source },
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
    web_url: `${projectUrl}/-/pipelines/${id}`,
  }
}
