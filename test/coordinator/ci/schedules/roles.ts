import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'GET /projects/:id/pipeline_schedules': 'pipeline reader',
  'POST /projects/:id/pipeline_schedules': 'developer',
  'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id': 'developer',
  'GET /projects/:id/pipeline_schedules/:pipeline_schedule_id': 'pipeline reader',
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id': 'developer',
  'GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines': 'pipeline reader',
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play': 'developer',
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership': 'maintainer',
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables': 'developer',
  'GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': 'developer',
  'DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': 'developer',
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': 'developer',
}
