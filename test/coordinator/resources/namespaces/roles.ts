import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /groups': 'anyone',
  'POST /groups': 'user',
  'GET /groups/:id': 'guest',
  'PUT /groups/:id': 'owner',
  'GET /namespaces': 'user',
  'GET /namespaces/:id': 'user',
}
