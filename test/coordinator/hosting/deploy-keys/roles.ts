import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /deploy_keys': 'administrator',
  'GET /projects/:id/deploy_keys': 'maintainer',
  'GET /projects/:id/deploy_keys/:key_id': 'maintainer',
  'POST /projects/:id/deploy_keys': 'maintainer',
  'PUT /projects/:id/deploy_keys/:key_id': 'maintainer',
  'DELETE /projects/:id/deploy_keys/:key_id': 'maintainer',
  'POST /projects/:id/deploy_keys/:key_id/enable': 'maintainer',
}
