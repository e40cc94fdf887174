import type { LeastRoles } from '../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /user/sessions': 'user',
  'DELETE /user/sessions': 'user',
  'DELETE /user/sessions/:session_id': 'user',
  'POST /user/sessions/confirm': 'user',
  'PUT /user/password': 'user',
  'POST /user/sign_in_links': 'user',
  'POST /users/:id/sign_in_links': 'administrator',
  'GET /user/identities': 'user',
  'POST /user/identities/:provider/link': 'user',
  'DELETE /user/identities/:provider': 'user',
  'GET /users/:id/sessions': 'administrator',
  'DELETE /users/:id/sessions': 'administrator',
  'DELETE /users/:id/sessions/:session_id': 'administrator',
}
