import type { Caller, Project } from './caller.js'

/**
 * Whether the credential of the caller reaches the project. Says nothing about the rights of its user there, which an
 * operation checks too.
 */
export function isWithinLimit(caller: Caller, { id }: Pick<Project, 'id'>): boolean {
  return caller.kind !== 'user' || !caller.projectIds || caller.projectIds.includes(id)
}
