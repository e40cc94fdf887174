/** The roles of members, and of tokens of projects and groups, by their levels. */
export const ROLES = [
  { value: '10', label: 'Guest' },
  { value: '20', label: 'Reporter' },
  { value: '30', label: 'Developer' },
  { value: '40', label: 'Maintainer' },
  { value: '50', label: 'Owner' },
]

/** The name of the role with a level. */
export function roleName(level: number): string {
  return ROLES.find(({ value }) => value === String(level))?.label ?? `level ${level}`
}
