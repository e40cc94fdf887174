import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/mirror/pull': 'maintainer',
  'POST /projects/:id/mirror/pull': 'maintainer',
  'PUT /projects/:id/mirror/pull': 'maintainer',
}
