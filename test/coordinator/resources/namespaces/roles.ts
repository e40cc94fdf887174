import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /groups': 'anyone',
  'POST /groups': 'user',
  'GET /groups/:id': 'guest',
  'PUT /groups/:id': 'owner',
  'DELETE /groups/:id': 'owner',
  'GET /groups/:id/subgroups': 'guest',
  'GET /groups/:id/descendant_groups': 'guest',
  'GET /groups/:id/groups/shared': 'guest',
  'GET /groups/:id/projects': 'guest',
  'GET /groups/:id/projects/shared': 'guest',
  'POST /groups/:id/projects/:project_id': 'administrator',
  'POST /groups/:id/transfer': 'owner',
  'POST /groups/:id/share': 'owner',
  'DELETE /groups/:id/share/:group_id': 'owner',
  'GET /projects/:id/groups': 'guest',
  'POST /projects/:id/share': 'maintainer',
  'DELETE /projects/:id/share/:group_id': 'maintainer',
  'GET /namespaces': 'user',
  'GET /namespaces/:id': 'user',
  'GET /namespaces/:path/exists': 'user',
}
