import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /applications': 'administrator',
  'POST /applications': 'administrator',
  'DELETE /applications/:id': 'administrator',
  'PUT /applications/:id': 'administrator',
  'POST /applications/:id/renew-secret': 'administrator',
  'GET /user/applications': 'user',
  'POST /user/applications': 'user',
  'PUT /user/applications/:application_id': 'user',
  'POST /user/applications/:application_id/renew-secret': 'user',
  'DELETE /user/applications/:application_id': 'user',
  'GET /user/authorized_applications': 'user',
  'DELETE /user/authorized_applications/:application_id': 'user',
  'GET /users/:id/applications': 'administrator',
  'DELETE /users/:id/applications/:application_id': 'administrator',
  'GET /users/:id/authorized_applications': 'administrator',
  'DELETE /users/:id/authorized_applications/:application_id': 'administrator',
}
