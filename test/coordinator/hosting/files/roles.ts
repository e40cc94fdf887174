import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/repository/files/:file_path': 'reporter',
  'GET /projects/:id/repository/files/:file_path/raw': 'reporter',
  'GET /projects/:id/repository/files/:file_path/blame': 'reporter',
  'POST /projects/:id/repository/files/:file_path': 'developer',
  'PUT /projects/:id/repository/files/:file_path': 'developer',
  'DELETE /projects/:id/repository/files/:file_path': 'developer',
}
