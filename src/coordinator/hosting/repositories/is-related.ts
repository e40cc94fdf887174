import type { Project } from '../../access/caller.js'

/** Whether one is a fork of the other, or both are forks of the same, or they are one. */
export function isRelated(one: Project, other: Project): boolean {
  const root = one.forked_from_id ?? one.id
  return root === other.id || root === other.forked_from_id || one.id === other.forked_from_id
}
