import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/caches': 'developer',
  'DELETE /projects/:id/caches': 'maintainer',
  'DELETE /projects/:id/caches/:cache_id': 'maintainer',
}
