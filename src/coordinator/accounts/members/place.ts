import type { User } from '../../access/caller.js'
import type { Access, GroupPermission, ProjectPermission } from '../../access/permissions.js'
import type { Call } from '../../http/operation.js'
import type { MemberDeps } from './members.js'
import { type Source, sourceOfGroup, sourceOfProject } from './source.js'

export interface MemberOperationsDeps extends MemberDeps {
  externalUrl: string
}

/** Where members are: the same operations are there for projects and for groups (API, C3). */
export interface Place<A extends Access> {
  path: '/projects/:id' | '/groups/:id'
  /** For summaries: `a project`. */
  of: string
  read: A
  leave: A
  admin: A
  /** From which level on one decides about others. */
  adminLevel: number
  /** What the call is about, and who calls. */
  at: (call: Call<A, unknown>) => { source: Source; user: User | undefined; accessLevel: number }
}

export const IN_PROJECT: Place<ProjectPermission> = {
  path: '/projects/:id',
  of: 'a project',
  read: 'read_members',
  leave: 'leave_project',
  admin: 'admin_members',
  adminLevel: 40,
  at: ({ project, user, accessLevel }) => ({ source: sourceOfProject(project), user, accessLevel }),
}

export const IN_GROUP: Place<GroupPermission> = {
  path: '/groups/:id',
  of: 'a group',
  read: 'read_group_members',
  leave: 'leave_group',
  admin: 'admin_group_members',
  adminLevel: 50,
  at: ({ group, user, accessLevel }) => ({ source: sourceOfGroup(group), user, accessLevel }),
}
