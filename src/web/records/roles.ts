import { DEVELOPER, GUEST, MAINTAINER, OWNER, REPORTER } from '../../coordinator/access/access-levels.js'

/** The roles of members, and of tokens of projects and groups, by their levels. */
export const ROLES = [
  { value: String(GUEST), label: 'Guest' },
  { value: String(REPORTER), label: 'Reporter' },
  { value: String(DEVELOPER), label: 'Developer' },
  { value: String(MAINTAINER), label: 'Maintainer' },
  { value: String(OWNER), label: 'Owner' },
]

/** The name of the role with a level. */
export function roleName(level: number): string {
  return ROLES.find(({ value }) => value === String(level))?.label ?? `level ${level}`
}
