import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/hooks': 'maintainer',
  'POST /projects/:id/hooks': 'maintainer',
  'DELETE /projects/:id/hooks/:hook_id': 'maintainer',
  'GET /projects/:id/hooks/:hook_id': 'maintainer',
  'PUT /projects/:id/hooks/:hook_id': 'maintainer',
  'POST /projects/:id/hooks/:hook_id/test/:trigger': 'maintainer',
  'GET /projects/:id/hooks/:hook_id/events': 'maintainer',
  'POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend': 'maintainer',
  'GET /hooks': 'administrator',
  'POST /hooks': 'administrator',
  'GET /hooks/:id': 'administrator',
  'PUT /hooks/:id': 'administrator',
  'DELETE /hooks/:id': 'administrator',
  'POST /hooks/:id': 'administrator',
}
