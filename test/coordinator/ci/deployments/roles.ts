import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/deployments': 'reporter',
  'POST /projects/:id/deployments': 'developer',
  'DELETE /projects/:id/deployments/:deployment_id': 'maintainer',
  'GET /projects/:id/deployments/:deployment_id': 'reporter',
  'PUT /projects/:id/deployments/:deployment_id': 'developer',
  'POST /projects/:id/deployments/:deployment_id/approval': 'developer',
}
