import type { User } from '../../access/caller.js'
import type { Access, GroupPermission, ProjectPermission } from '../../access/permissions.js'
import type { MilestoneOwner } from '../../hosting/milestone-store.js'
import type { Route } from '../../http/operation.js'
import type { OwnerRoutes } from '../../http/owner-routes.js'

const PROJECT_ROUTES = {
  list: 'GET /projects/:id/milestones',
  get: 'GET /projects/:id/milestones/:milestone_id',
  create: 'POST /projects/:id/milestones',
  edit: 'PUT /projects/:id/milestones/:milestone_id',
  delete: 'DELETE /projects/:id/milestones/:milestone_id',
} as const satisfies Record<string, Route>

const GROUP_ROUTES = {
  list: 'GET /groups/:id/milestones',
  get: 'GET /groups/:id/milestones/:milestone_id',
  create: 'POST /groups/:id/milestones',
  edit: 'PUT /groups/:id/milestones/:milestone_id',
  delete: 'DELETE /groups/:id/milestones/:milestone_id',
} as const satisfies Record<keyof typeof PROJECT_ROUTES, Route>

/** Differences between the milestones of projects and of groups (API, G4). */
export type MilestoneRoutes<A extends Access> = OwnerRoutes<
  A,
  keyof typeof PROJECT_ROUTES,
  { owner: MilestoneOwner; viewer: User | undefined }
> & { manage: A }

export const IN_PROJECT: MilestoneRoutes<ProjectPermission> = {
  routes: PROJECT_ROUTES,
  of: 'a project',
  read: 'read_milestones',
  manage: 'manage_milestones',
  at: ({ project, user }) => ({ owner: { project_id: project.id }, viewer: user }),
}

export const IN_GROUP: MilestoneRoutes<GroupPermission> = {
  routes: GROUP_ROUTES,
  of: 'a group',
  read: 'read_group_milestones',
  manage: 'manage_group_milestones',
  at: ({ group, user }) => ({ owner: { group_id: group.id }, viewer: user }),
}
