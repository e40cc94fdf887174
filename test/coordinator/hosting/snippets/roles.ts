import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'DELETE /projects/:id/snippets/:snippet_id': 'guest',
  'DELETE /snippets/:id': 'user',
  'GET /projects/:id/snippets': 'guest',
  'GET /projects/:id/snippets/:snippet_id': 'guest',
  'GET /projects/:id/snippets/:snippet_id/files/:ref/:file_path/raw': 'guest',
  'GET /projects/:id/snippets/:snippet_id/raw': 'guest',
  'GET /projects/:id/snippets/:snippet_id/user_agent_detail': 'guest',
  'GET /snippets': 'user',
  'GET /snippets/:id': 'anyone',
  'GET /snippets/:id/files/:ref/:file_path/raw': 'anyone',
  'GET /snippets/:id/raw': 'anyone',
  'GET /snippets/:id/user_agent_detail': 'user',
  'GET /snippets/all': 'user',
  'GET /snippets/public': 'user',
  'POST /projects/:id/snippets': 'reporting member',
  'POST /snippets': 'user',
  'PUT /projects/:id/snippets/:snippet_id': 'guest',
  'PUT /snippets/:id': 'user',
}
