import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /groups/:id/notification_settings': 'guest',
  'GET /notification_settings': 'user',
  'GET /projects/:id/notification_settings': 'guest',
  'PUT /groups/:id/notification_settings': 'guest',
  'PUT /notification_settings': 'user',
  'PUT /projects/:id/notification_settings': 'guest',
}
