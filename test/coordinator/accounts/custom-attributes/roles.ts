import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'DELETE /users/:id/custom_attributes/:key': 'administrator',
  'GET /users/:id/custom_attributes': 'administrator',
  'GET /users/:id/custom_attributes/:key': 'administrator',
  'PUT /users/:id/custom_attributes/:key': 'administrator',
  'GET /projects/:id/custom_attributes': 'administrator',
  'GET /projects/:id/custom_attributes/:key': 'administrator',
  'PUT /projects/:id/custom_attributes/:key': 'administrator',
  'DELETE /projects/:id/custom_attributes/:key': 'administrator',
  'GET /groups/:id/custom_attributes': 'administrator',
  'GET /groups/:id/custom_attributes/:key': 'administrator',
  'PUT /groups/:id/custom_attributes/:key': 'administrator',
  'DELETE /groups/:id/custom_attributes/:key': 'administrator',
}
