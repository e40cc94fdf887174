import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Project } from '../../access/caller.js'

interface SiteReader {
  /** Effective level in the project; 0 if it is hidden from the reader. */
  accessLevel: number
  /** The part of that level that comes from a membership. */
  membership: number
}

/** Whether the site of a project is for this reader, by `pages_access_level`. */
export function mayReadSite(
  { pages_access_level: level }: Pick<Project, 'pages_access_level'>,
  { accessLevel, membership }: SiteReader,
): boolean {
  switch (level) {
    case 'disabled':
      return false
    case 'private':
      return membership >= ACCESS_LEVELS.guest
    case 'enabled':
      return accessLevel > 0
    case 'public':
      return true
  }
}
