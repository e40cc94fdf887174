import type { Project } from '../../access/caller.js'

/**
 * Whether the projects are the same, or one is a fork of the other, or both are forks of the same project.
 */
export function isRelated(one: Project, other: Project): boolean {
  const root = one.forked_from_id ?? one.id
  return root === other.id || root === other.forked_from_id || one.id === other.forked_from_id
}
