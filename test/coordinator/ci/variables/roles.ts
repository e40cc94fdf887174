import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /admin/ci/variables': 'administrator',
  'POST /admin/ci/variables': 'administrator',
  'DELETE /admin/ci/variables/:key': 'administrator',
  'GET /admin/ci/variables/:key': 'administrator',
  'PUT /admin/ci/variables/:key': 'administrator',
  'GET /groups/:id/variables': 'owner',
  'POST /groups/:id/variables': 'owner',
  'DELETE /groups/:id/variables/:key': 'owner',
  'GET /groups/:id/variables/:key': 'owner',
  'PUT /groups/:id/variables/:key': 'owner',
  'GET /groups/:id/inherited_variables': 'owner',
  'GET /projects/:id/inherited_variables': 'maintainer',
  'GET /projects/:id/variables': 'maintainer',
  'POST /projects/:id/variables': 'maintainer',
  'DELETE /projects/:id/variables/:key': 'maintainer',
  'GET /projects/:id/variables/:key': 'maintainer',
  'PUT /projects/:id/variables/:key': 'maintainer',
}
