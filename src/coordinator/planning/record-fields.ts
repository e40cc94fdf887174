import { isoTime } from '../http/presenters/present-time.js'

/** From where `references.relative` leads: a project, a group, or the instance. */
export type Origin = { project: number } | { group: string } | undefined

/** The path of a project in a reference, as seen from `origin`; empty within the project. */
export function relativePath(path: string, projectId: number, origin: Origin): string {
  if (!origin) return path
  if ('project' in origin) return origin.project === projectId ? '' : path
  return path.startsWith(`${origin.group}/`) ? path.slice(origin.group.length + 1) : path
}

interface PlannedRow<State> {
  id: number
  iid: number
  project_id: number
  title: string
  description: string | null
  state: State
  created_at: number
  updated_at: number
}

/** The first fields of the records of issues and merge requests. */
export function plannedFields<State>(row: PlannedRow<State>) {
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
