import type { Selectable } from 'kysely'

import type { ProjectTable } from '../database/tables/projects.js'

type ReadOnlyState = Pick<Selectable<ProjectTable>, 'archived' | 'marked_for_deletion_at'>

/**
 * Reason why a project is read-only, as the end of "the project is …"; undefined = it can be changed (API,
 * C2). A project marked for deletion may also be archived, and remains so when it is restored.
 */
export function whyReadOnly(project: ReadOnlyState): 'marked for deletion' | 'archived' | undefined {
  if (project.marked_for_deletion_at !== null) return 'marked for deletion'
  return project.archived ? 'archived' : undefined
}
