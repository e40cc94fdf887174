import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /personal_access_tokens': 'user',
  'DELETE /personal_access_tokens/:id': 'user',
  'GET /personal_access_tokens/:id': 'user',
  'POST /personal_access_tokens/:id/rotate': 'user',
  'DELETE /personal_access_tokens/self': 'user',
  'GET /personal_access_tokens/self': 'user',
  'GET /user': 'user',
  'GET /users': 'anyone',
  'POST /users': 'administrator',
  'GET /users/:id': 'anyone',
  'POST /users/:user_id/personal_access_tokens': 'administrator',
  'PUT /users/:id': 'administrator',
  'POST /user/personal_access_tokens': 'user',
  'POST /personal_access_tokens/self/rotate': 'user',
  'GET /users/:user_id/impersonation_tokens': 'administrator',
  'POST /users/:user_id/impersonation_tokens': 'administrator',
  'GET /users/:user_id/impersonation_tokens/:impersonation_token_id': 'administrator',
  'DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id': 'administrator',
}
