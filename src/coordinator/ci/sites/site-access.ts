import { isForCaller } from '../../access/access.js'
import type { Project } from '../../access/caller.js'

interface SiteReader {
  /** Effective level in the project; 0 if it is hidden from the reader. */
  accessLevel: number
  /** The part of that level that comes from a membership. */
  membership: number
}

/** Whether the site of a project is for this reader, by `pages_access_level`. */
export function mayReadSite(project: Project, { accessLevel, membership }: SiteReader): boolean {
  if (project.pages_access_level === 'public') return true
  return accessLevel > 0 && isForCaller('pages', { project, membership })
}
