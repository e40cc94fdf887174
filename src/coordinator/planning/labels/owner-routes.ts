import type { User } from '../../access/caller.js'
import type { Access, GroupPermission, ProjectPermission } from '../../access/permissions.js'
import type { Route } from '../../http/operation.js'
import type { OwnerRoutes } from '../../http/owner-routes.js'
import type { LabelOwner } from '../stores/label-store.js'

const PROJECT_ROUTES = {
  list: 'GET /projects/:id/labels',
  get: 'GET /projects/:id/labels/:label_id',
  create: 'POST /projects/:id/labels',
  edit: 'PUT /projects/:id/labels/:label_id',
  editNamed: 'PUT /projects/:id/labels',
  delete: 'DELETE /projects/:id/labels/:label_id',
  deleteNamed: 'DELETE /projects/:id/labels',
  subscribe: 'POST /projects/:id/labels/:label_id/subscribe',
  unsubscribe: 'POST /projects/:id/labels/:label_id/unsubscribe',
} as const satisfies Record<string, Route>

const GROUP_ROUTES = {
  list: 'GET /groups/:id/labels',
  get: 'GET /groups/:id/labels/:label_id',
  create: 'POST /groups/:id/labels',
  edit: 'PUT /groups/:id/labels/:label_id',
  editNamed: 'PUT /groups/:id/labels',
  delete: 'DELETE /groups/:id/labels/:label_id',
  deleteNamed: 'DELETE /groups/:id/labels',
  subscribe: 'POST /groups/:id/labels/:label_id/subscribe',
  unsubscribe: 'POST /groups/:id/labels/:label_id/unsubscribe',
} as const satisfies Record<keyof typeof PROJECT_ROUTES, Route>

/** Differences between the labels of projects and of groups (API, G3). */
export type LabelRoutes<A extends Access> = OwnerRoutes<
  A,
  keyof typeof PROJECT_ROUTES,
  { owner: LabelOwner; viewer: User | undefined }
> & { manage: A }

export const IN_PROJECT: LabelRoutes<ProjectPermission> = {
  routes: PROJECT_ROUTES,
  of: 'a project',
  read: 'read_labels',
  manage: 'manage_labels',
  at: ({ project, user }) => ({ owner: { project_id: project.id }, viewer: user }),
}

export const IN_GROUP: LabelRoutes<GroupPermission> = {
  routes: GROUP_ROUTES,
  of: 'a group',
  read: 'read_group_labels',
  manage: 'manage_group_labels',
  at: ({ group, user }) => ({ owner: { group_id: group.id }, viewer: user }),
}
