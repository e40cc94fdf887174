import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/remote_mirrors': 'maintainer',
  'POST /projects/:id/remote_mirrors': 'maintainer',
  'DELETE /projects/:id/remote_mirrors/:mirror_id': 'maintainer',
  'GET /projects/:id/remote_mirrors/:mirror_id': 'maintainer',
  'PUT /projects/:id/remote_mirrors/:mirror_id': 'maintainer',
  'POST /projects/:id/remote_mirrors/:mirror_id/sync': 'maintainer',
}
