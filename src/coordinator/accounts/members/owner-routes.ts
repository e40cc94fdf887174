import { MAINTAINER, OWNER } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import type { Access, GroupPermission, ProjectPermission } from '../../access/permissions.js'
import type { Route } from '../../http/operation.js'
import type { OwnerRoutes } from '../../http/owner-routes.js'
import type { MemberDeps } from './members.js'
import { type Source, sourceOfGroup, sourceOfProject } from './source.js'

export interface MemberOperationsDeps extends MemberDeps {
  externalUrl: string
}

const PROJECT_ROUTES = {
  listMembers: 'GET /projects/:id/members',
  listAllMembers: 'GET /projects/:id/members/all',
  listMemberSources: 'GET /projects/:id/member_sources',
  getMember: 'GET /projects/:id/members/:user_id',
  getAnyMember: 'GET /projects/:id/members/all/:user_id',
  addMember: 'POST /projects/:id/members',
  changeMember: 'PUT /projects/:id/members/:user_id',
  deleteMember: 'DELETE /projects/:id/members/:user_id',
  listAccessRequests: 'GET /projects/:id/access_requests',
  requestAccess: 'POST /projects/:id/access_requests',
  approveAccessRequest: 'PUT /projects/:id/access_requests/:user_id/approve',
  denyAccessRequest: 'DELETE /projects/:id/access_requests/:user_id',
  listInvitations: 'GET /projects/:id/invitations',
  invite: 'POST /projects/:id/invitations',
  changeInvitation: 'PUT /projects/:id/invitations/:email',
  deleteInvitation: 'DELETE /projects/:id/invitations/:email',
} as const satisfies Record<string, Route>

const GROUP_ROUTES = {
  listMembers: 'GET /groups/:id/members',
  listAllMembers: 'GET /groups/:id/members/all',
  listMemberSources: 'GET /groups/:id/member_sources',
  getMember: 'GET /groups/:id/members/:user_id',
  getAnyMember: 'GET /groups/:id/members/all/:user_id',
  addMember: 'POST /groups/:id/members',
  changeMember: 'PUT /groups/:id/members/:user_id',
  deleteMember: 'DELETE /groups/:id/members/:user_id',
  listAccessRequests: 'GET /groups/:id/access_requests',
  requestAccess: 'POST /groups/:id/access_requests',
  approveAccessRequest: 'PUT /groups/:id/access_requests/:user_id/approve',
  denyAccessRequest: 'DELETE /groups/:id/access_requests/:user_id',
  listInvitations: 'GET /groups/:id/invitations',
  invite: 'POST /groups/:id/invitations',
  changeInvitation: 'PUT /groups/:id/invitations/:email',
  deleteInvitation: 'DELETE /groups/:id/invitations/:email',
} as const satisfies Record<keyof typeof PROJECT_ROUTES, Route>

/** Differences between the member operations of projects and of groups (API, C3). */
export type MemberRoutes<A extends Access> = OwnerRoutes<
  A,
  keyof typeof PROJECT_ROUTES,
  { source: Source; user: User | undefined; accessLevel: number }
> & {
  leave: A
  admin: A
  /** Minimum access level to administer members. */
  adminLevel: number
}

export const IN_PROJECT: MemberRoutes<ProjectPermission> = {
  routes: PROJECT_ROUTES,
  of: 'a project',
  read: 'read_members',
  leave: 'leave_project',
  admin: 'admin_members',
  adminLevel: MAINTAINER,
  at: ({ project, user, accessLevel }) => ({ source: sourceOfProject(project), user, accessLevel }),
}

export const IN_GROUP: MemberRoutes<GroupPermission> = {
  routes: GROUP_ROUTES,
  of: 'a group',
  read: 'read_group_members',
  leave: 'leave_group',
  admin: 'admin_group_members',
  adminLevel: OWNER,
  at: ({ group, user, accessLevel }) => ({ source: sourceOfGroup(group), user, accessLevel }),
}
