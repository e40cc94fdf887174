import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /audit_events': 'administrator',
  'GET /audit_events/:id': 'administrator',
  'GET /groups/:id/audit_events': 'owner',
  'GET /groups/:id/audit_events/:audit_event_id': 'owner',
  'GET /projects/:id/audit_events': 'maintainer',
  'GET /projects/:id/audit_events/:audit_event_id': 'maintainer',
}
