import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/environments': 'reporter',
  'POST /projects/:id/environments': 'developer',
  'DELETE /projects/:id/environments/:environment_id': 'developer',
  'GET /projects/:id/environments/:environment_id': 'reporter',
  'PUT /projects/:id/environments/:environment_id': 'developer',
  'POST /projects/:id/environments/:environment_id/stop': 'developer',
  'DELETE /projects/:id/environments/review_apps': 'developer',
  'POST /projects/:id/environments/stop_stale': 'maintainer',
}
