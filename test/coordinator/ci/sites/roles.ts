import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/pages': 'maintainer',
  'DELETE /projects/:id/pages': 'maintainer',
  'GET /projects/:id/pages_access': 'guest',
}
