import type { Group, Project, User } from '../../access/caller.js'
import type { Access, GroupPermission, ProjectPermission } from '../../access/permissions.js'
import type { Route } from '../../http/operation.js'
import type { OwnerRoutes } from '../../http/owner-routes.js'

const PROJECT_ROUTES = {
  list: 'GET /projects/:id/wikis',
  get: 'GET /projects/:id/wikis/:slug',
  versions: 'GET /projects/:id/wikis/:slug/versions',
  diff: 'GET /projects/:id/wikis/:slug/diff',
  file: 'GET /projects/:id/wiki_attachments/:file_path',
  create: 'POST /projects/:id/wikis',
  preview: 'POST /projects/:id/wikis/preview',
  attach: 'POST /projects/:id/wikis/attachments',
  edit: 'PUT /projects/:id/wikis/:slug',
  delete: 'DELETE /projects/:id/wikis/:slug',
} as const satisfies Record<string, Route>

const GROUP_ROUTES = {
  list: 'GET /groups/:id/wikis',
  get: 'GET /groups/:id/wikis/:slug',
  versions: 'GET /groups/:id/wikis/:slug/versions',
  diff: 'GET /groups/:id/wikis/:slug/diff',
  file: 'GET /groups/:id/wiki_attachments/:file_path',
  create: 'POST /groups/:id/wikis',
  preview: 'POST /groups/:id/wikis/preview',
  attach: 'POST /groups/:id/wikis/attachments',
  edit: 'PUT /groups/:id/wikis/:slug',
  delete: 'DELETE /groups/:id/wikis/:slug',
} as const satisfies Record<keyof typeof PROJECT_ROUTES, Route>

/** The project or group of a wiki. */
export interface WikiOwner {
  id: number
  /** Undefined for a group. */
  project?: Project
  /** The address of its pages, below that of the instance: `/group/app/-/wikis`. */
  pages: string
  /** The path of its files in the API, without the prefix of the API. */
  files: string
}

/** Differences between the wikis of projects and of groups (API, G8). */
export type WikiRoutes<A extends Access> = OwnerRoutes<
  A,
  keyof typeof PROJECT_ROUTES,
  { owner: WikiOwner; user: User | undefined }
> & { write: A; delete: A }

export const IN_PROJECT: WikiRoutes<ProjectPermission> = {
  routes: PROJECT_ROUTES,
  of: 'a project',
  read: 'read_wiki',
  write: 'write_wiki',
  delete: 'delete_wiki_pages',
  at: ({ project, user }) => ({ owner: ownerOfProject(project), user }),
}

export const IN_GROUP: WikiRoutes<GroupPermission> = {
  routes: GROUP_ROUTES,
  of: 'a group',
  read: 'read_group_wiki',
  write: 'write_group_wiki',
  delete: 'delete_group_wiki_pages',
  at: ({ group, user }) => ({ owner: ownerOfGroup(group), user }),
}

function ownerOfProject(project: Project): WikiOwner {
  const { id, full_path } = project
  return { id, project, pages: `/${full_path}/-/wikis`, files: `/projects/${id}/wiki_attachments` }
}

function ownerOfGroup({ id, full_path }: Group): WikiOwner {
  return { id, pages: `/groups/${full_path}/-/wikis`, files: `/groups/${id}/wiki_attachments` }
}
