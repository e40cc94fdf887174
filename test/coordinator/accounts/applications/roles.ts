import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /applications': 'administrator',
  'POST /applications': 'administrator',
  'DELETE /applications/:id': 'administrator',
  'GET /user/authorized_applications': 'user',
  'DELETE /user/authorized_applications/:application_id': 'user',
}
