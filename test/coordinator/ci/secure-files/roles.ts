import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/secure_files': 'developer',
  'POST /projects/:id/secure_files': 'maintainer',
  'GET /projects/:id/secure_files/:secure_file_id': 'developer',
  'GET /projects/:id/secure_files/:secure_file_id/download': 'developer',
  'DELETE /projects/:id/secure_files/:secure_file_id': 'maintainer',
}
