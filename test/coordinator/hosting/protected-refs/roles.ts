import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/protected_branches': 'maintainer',
  'POST /projects/:id/protected_branches': 'maintainer',
  'DELETE /projects/:id/protected_branches/:name': 'maintainer',
  'GET /projects/:id/protected_branches/:name': 'maintainer',
  'PATCH /projects/:id/protected_branches/:name': 'maintainer',
  'GET /projects/:id/protected_tags': 'maintainer',
  'POST /projects/:id/protected_tags': 'maintainer',
  'DELETE /projects/:id/protected_tags/:name': 'maintainer',
  'GET /projects/:id/protected_tags/:name': 'maintainer',
}
