import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /broadcast_messages': 'anyone',
  'GET /broadcast_messages/:id': 'anyone',
  'POST /broadcast_messages': 'administrator',
  'PUT /broadcast_messages/:id': 'administrator',
  'DELETE /broadcast_messages/:id': 'administrator',
}
