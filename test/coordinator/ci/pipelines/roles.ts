import type { LeastRoles } from '../../http/least-roles.js'

export const roles: LeastRoles = {
  'PUT /projects/:id/pipelines/:pipeline_id/metadata': 'developer',
  'POST /projects/:id/pipeline': 'developer',
  'GET /projects/:id/pipelines': 'pipeline reader',
  'DELETE /projects/:id/pipelines/:pipeline_id': 'owner',
  'GET /projects/:id/pipelines/:pipeline_id': 'pipeline reader',
  'GET /projects/:id/pipelines/:pipeline_id/failures': 'pipeline reader',
  'GET /projects/:id/pipelines/:pipeline_id/graph': 'pipeline reader',
  'POST /projects/:id/pipelines/:pipeline_id/cancel': 'developer',
  'POST /projects/:id/pipelines/:pipeline_id/play': 'developer',
  'POST /projects/:id/pipelines/:pipeline_id/retry': 'developer',
  'POST /projects/:id/pipelines/:pipeline_id/stages/:name/cancel': 'developer',
  'POST /projects/:id/pipelines/:pipeline_id/stages/:name/play': 'developer',
  'POST /projects/:id/pipelines/:pipeline_id/stages/:name/retry': 'developer',
  'GET /projects/:id/pipelines/:pipeline_id/test_cases': 'pipeline reader',
  'GET /projects/:id/pipelines/:pipeline_id/test_report': 'pipeline reader',
  'GET /projects/:id/pipelines/:pipeline_id/test_report_summary': 'pipeline reader',
  'GET /projects/:id/pipelines/:pipeline_id/variables': 'developer',
  'GET /projects/:id/pipelines/counts': 'pipeline reader',
  'GET /projects/:id/pipelines/latest': 'pipeline reader',
}
