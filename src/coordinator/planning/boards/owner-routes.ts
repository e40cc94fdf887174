import type { Group, Project, User } from '../../access/caller.js'
import type { Access, GroupPermission, ProjectPermission } from '../../access/permissions.js'
import type { Route } from '../../http/operation.js'
import type { OwnerRoutes } from '../../http/owner-routes.js'
import type { BoardOwner } from '../stores/board-store.js'

const PROJECT_ROUTES = {
  list: 'GET /projects/:id/boards',
  get: 'GET /projects/:id/boards/:board_id',
  create: 'POST /projects/:id/boards',
  edit: 'PUT /projects/:id/boards/:board_id',
  delete: 'DELETE /projects/:id/boards/:board_id',
  lists: 'GET /projects/:id/boards/:board_id/lists',
  getList: 'GET /projects/:id/boards/:board_id/lists/:list_id',
  createList: 'POST /projects/:id/boards/:board_id/lists',
  moveList: 'PUT /projects/:id/boards/:board_id/lists/:list_id',
  deleteList: 'DELETE /projects/:id/boards/:board_id/lists/:list_id',
} as const satisfies Record<string, Route>

const GROUP_ROUTES = {
  list: 'GET /groups/:id/boards',
  get: 'GET /groups/:id/boards/:board_id',
  create: 'POST /groups/:id/boards',
  edit: 'PUT /groups/:id/boards/:board_id',
  delete: 'DELETE /groups/:id/boards/:board_id',
  lists: 'GET /groups/:id/boards/:board_id/lists',
  getList: 'GET /groups/:id/boards/:board_id/lists/:list_id',
  createList: 'POST /groups/:id/boards/:board_id/lists',
  moveList: 'PUT /groups/:id/boards/:board_id/lists/:list_id',
  deleteList: 'DELETE /groups/:id/boards/:board_id/lists/:list_id',
} as const satisfies Record<keyof typeof PROJECT_ROUTES, Route>

/** The project or group of a call, and its caller. */
export interface BoardScope {
  owner: BoardOwner
  of: { project: Project } | { group: Group }
  viewer: User | undefined
}

/** Differences between the boards of projects and of groups (API, F6). */
export type BoardRoutes<A extends Access> = OwnerRoutes<A, keyof typeof PROJECT_ROUTES, BoardScope> & {
  manage: A
}

export const IN_PROJECT: BoardRoutes<ProjectPermission> = {
  routes: PROJECT_ROUTES,
  of: 'a project',
  read: 'read_issues',
  manage: 'manage_issues',
  at: ({ project, user }) => ({ owner: { project_id: project.id }, of: { project }, viewer: user }),
}

export const IN_GROUP: BoardRoutes<GroupPermission> = {
  routes: GROUP_ROUTES,
  of: 'a group',
  read: 'read_group_boards',
  manage: 'manage_group_boards',
  at: ({ group, user }) => ({ owner: { group_id: group.id }, of: { group }, viewer: user }),
}
