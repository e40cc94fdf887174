import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  // Those who may push to the source branch; others are refused when the suggestion is known.
  'PUT /suggestions/:id/apply': 'user',
  'PUT /suggestions/batch_apply': 'user',
}
