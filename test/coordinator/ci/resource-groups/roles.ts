import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/resource_groups': 'developer',
  'GET /projects/:id/resource_groups/:key': 'developer',
  'PUT /projects/:id/resource_groups/:key': 'developer',
  'GET /projects/:id/resource_groups/:key/current_job': 'developer',
  'GET /projects/:id/resource_groups/:key/upcoming_jobs': 'developer',
}
