import type { Group } from '../../coordinator/accounts/groups/schema.js'

export type NamedGroup = Pick<Group, 'id' | 'full_path' | 'visibility' | 'project_creation_level'>

/** Groups whose setting lets the role of the user create projects. */
export function creatableIn(
  developed: readonly NamedGroup[],
  maintained: readonly NamedGroup[],
  isAdministrator: boolean,
): NamedGroup[] {
  if (isAdministrator) return [...developed]
  const isMaintained = new Set(maintained.map(({ id }) => id))
  return developed.filter(
    ({ id, project_creation_level: level }) =>
      level === 'developer' || (level === 'maintainer' && isMaintained.has(id)),
  )
}
