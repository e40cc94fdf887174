import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/labels': 'guest',
  'GET /projects/:id/labels/:label_id': 'guest',
  'POST /projects/:id/labels': 'reporting member',
  'PUT /projects/:id/labels': 'reporting member',
  'PUT /projects/:id/labels/:label_id': 'reporting member',
  'DELETE /projects/:id/labels': 'reporting member',
  'DELETE /projects/:id/labels/:label_id': 'reporting member',
  'PUT /projects/:id/labels/promote': 'reporting member',
  'PUT /projects/:id/labels/:label_id/promote': 'reporting member',
  'POST /projects/:id/labels/:label_id/subscribe': 'guest',
  'POST /projects/:id/labels/:label_id/unsubscribe': 'guest',
  'GET /groups/:id/labels': 'guest',
  'GET /groups/:id/labels/:label_id': 'guest',
  'POST /groups/:id/labels': 'reporter',
  'PUT /groups/:id/labels': 'reporter',
  'PUT /groups/:id/labels/:label_id': 'reporter',
  'DELETE /groups/:id/labels': 'reporter',
  'DELETE /groups/:id/labels/:label_id': 'reporter',
  'POST /groups/:id/labels/:label_id/subscribe': 'guest',
  'POST /groups/:id/labels/:label_id/unsubscribe': 'guest',
}
