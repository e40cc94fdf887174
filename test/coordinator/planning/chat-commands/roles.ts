import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'DELETE /user/chat_names/:chat_name_id': 'user',
  'GET /user/chat_names': 'user',
  'GET /user/chat_names/request': 'user',
  'POST /projects/:id/integrations/:slug/trigger': 'anyone',
  'POST /projects/:id/services/:slug/trigger': 'anyone',
  'POST /user/chat_names': 'user',
}
