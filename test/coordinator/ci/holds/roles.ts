import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'POST /jobs/:id/hold': 'anyone',
  'GET /jobs/:id/hold': 'anyone',
  'PUT /jobs/:id/hold': 'anyone',
  'DELETE /jobs/:id/hold': 'anyone',
  'GET /projects/:id/jobs/:job_id/hold': 'developer',
  'POST /projects/:id/jobs/:job_id/hold/extend': 'developer',
  'DELETE /projects/:id/jobs/:job_id/hold': 'developer',
  'GET /projects/:id/jobs/:job_id/terminal': 'developer',
  'POST /projects/:id/jobs/:job_id/terminal': 'developer',
}
