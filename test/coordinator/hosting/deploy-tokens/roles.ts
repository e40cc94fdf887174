import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /deploy_tokens': 'administrator',
  'GET /projects/:id/deploy_tokens': 'maintainer',
  'POST /projects/:id/deploy_tokens': 'maintainer',
  'GET /groups/:id/deploy_tokens': 'owner',
  'POST /groups/:id/deploy_tokens': 'owner',
  'GET /projects/:id/deploy_tokens/:token_id': 'maintainer',
  'DELETE /projects/:id/deploy_tokens/:token_id': 'maintainer',
  'GET /groups/:id/deploy_tokens/:token_id': 'owner',
  'DELETE /groups/:id/deploy_tokens/:token_id': 'owner',
}
