import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /events': 'user',
  'GET /projects/:id/events': 'guest',
  'GET /groups/:id/events': 'guest',
  'GET /users/:user_id/events': 'anyone',
}
