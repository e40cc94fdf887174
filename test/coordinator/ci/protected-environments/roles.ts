import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/protected_environments': 'maintainer',
  'POST /projects/:id/protected_environments': 'maintainer',
  'GET /projects/:id/protected_environments/:name': 'maintainer',
  'PUT /projects/:id/protected_environments/:name': 'maintainer',
  'DELETE /projects/:id/protected_environments/:name': 'maintainer',
  'GET /groups/:id/protected_environments': 'maintainer',
  'POST /groups/:id/protected_environments': 'maintainer',
  'GET /groups/:id/protected_environments/:name': 'maintainer',
  'PUT /groups/:id/protected_environments/:name': 'maintainer',
  'DELETE /groups/:id/protected_environments/:name': 'maintainer',
}
