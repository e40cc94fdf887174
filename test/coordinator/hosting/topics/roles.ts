import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /topics': 'anyone',
  'GET /topics/:id': 'anyone',
  'POST /topics': 'administrator',
  'POST /topics/merge': 'administrator',
  'PUT /topics/:id': 'administrator',
  'DELETE /topics/:id': 'administrator',
}
