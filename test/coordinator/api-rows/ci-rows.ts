import { rowsOf } from './rows.js'

/** Runners, jobs, pipelines, deployments, environments, releases (API, I and J). */
export const ciRows = rowsOf(`
  # Runners (API, I6, I7)
  GET /runners | scope type status tag_list paused version_prefix | 200
  GET /runners/all | scope type status tag_list paused version_prefix | 200
  GET /runners/:id | | 200
  PUT /runners/:id | description active paused tag_list run_untagged locked access_level maximum_timeout maintenance_note | 200
  DELETE /runners/:id | | 204
  GET /runners/:id/jobs | status order_by sort system_id | 200
  GET /runners/:id/managers | | 200
  POST /runners/:id/reset_authentication_token | | 201
  GET P/runners | scope type status tag_list paused version_prefix | 200
  POST P/runners | runner_id | 201
  DELETE P/runners/:runner_id | | 204
  POST P/runners/reset_registration_token | | 201
  GET G/runners | scope type status tag_list paused version_prefix | 200
  POST G/runners/reset_registration_token | | 201
  POST /runners/reset_registration_token | | 201
  POST /user/runners | runner_type project_id group_id description paused locked run_untagged tag_list access_level maximum_timeout maintenance_note | 201
  POST /runners | token description info active locked run_untagged tag_list access_level maximum_timeout maintenance_note paused | 201
  DELETE /runners | token | 204
  DELETE /runners/managers | token system_id | 204
  POST /runners/verify | token system_id info | 200
  POST /runners/reset_authentication_token | token | 201
  GET /runners/queue/own | system_id | 200
  GET /runners/router/discovery | | 501
  POST /jobs/request | token system_id last_update info session | 201 204
  PUT /jobs/:id | token state failure_reason exit_code checksum output info | 200
  PATCH /jobs/:id/trace | token debug_trace | 202
  POST /jobs/:id/artifacts | artifact_type artifact_format expire_in | 201
  GET /jobs/:id/artifacts | token | 200

  # Jobs (API, I4, A3)
  GET P/jobs | scope | 200
  GET P/pipelines/:pipeline_id/jobs | scope include_retried | 200
  GET P/pipelines/:pipeline_id/bridges | scope | 200
  GET P/jobs/:job_id | | 200
  GET /job | | 200
  GET P/jobs/:job_id/artifacts | | 200
  GET P/jobs/artifacts/:ref_name/download | job search_recent_successful_pipelines | 200
  GET P/jobs/:job_id/artifacts/*artifact_path | | 200
  GET P/jobs/artifacts/:ref_name/raw/*artifact_path | job | 200
  GET P/jobs/artifacts/*ref_and_file | job | 302
  GET P/jobs/:job_id/trace | | 200
  POST P/jobs/:job_id/cancel | force | 201
  POST P/jobs/:job_id/retry | inputs hold | 201
  POST P/jobs/:job_id/play | job_variables_attributes job_inputs | 200
  POST P/jobs/:job_id/unschedule | | 200
  POST P/jobs/:job_id/erase | | 201
  POST P/jobs/:job_id/artifacts/keep | | 200
  DELETE P/jobs/:job_id/artifacts | | 204
  DELETE P/artifacts | | 202
  GET P/pages | | 200
  DELETE P/pages | | 204
  GET P/pages_access | | 200
  GET P/resource_groups | | 200
  GET P/resource_groups/:key | | 200
  PUT P/resource_groups/:key | process_mode | 200
  GET P/resource_groups/:key/upcoming_jobs | | 200

  GET P/secure_files | | 200
  GET P/secure_files/:secure_file_id | | 200
  GET P/secure_files/:secure_file_id/download | | 200
  POST P/secure_files | name file | 201
  DELETE P/secure_files/:secure_file_id | | 204

  # Pipelines (API, I3)
  GET P/pipelines | scope status ref sha source yaml_errors name username order_by sort updated_after updated_before created_after created_before | 200
  GET P/pipelines/latest | ref | 200
  GET P/pipelines/:pipeline_id | | 200
  GET P/pipelines/:pipeline_id/variables | | 200
  GET P/pipelines/:pipeline_id/test_report | | 200
  GET P/pipelines/:pipeline_id/test_report_summary | | 200
  POST P/pipeline | ref variables inputs | 201
  POST P/pipelines/:pipeline_id/retry | | 201
  POST P/pipelines/:pipeline_id/cancel | | 200
  PUT P/pipelines/:pipeline_id/metadata | name | 200
  DELETE P/pipelines/:pipeline_id | | 204

  # Variables (API, I1)
  GET P/variables | | 200
  GET P/variables/:key | filter | 200
  POST P/variables | key value variable_type protected masked raw environment_scope masked_and_hidden description | 201
  PUT P/variables/:key | value variable_type protected masked raw environment_scope description filter | 200
  DELETE P/variables/:key | filter | 204
  GET G/variables | | 200
  GET G/variables/:key | filter | 200
  POST G/variables | key value variable_type protected masked raw environment_scope masked_and_hidden description | 201
  PUT G/variables/:key | value variable_type protected masked raw environment_scope description filter | 200
  DELETE G/variables/:key | filter | 204
  GET /admin/ci/variables | | 200
  GET /admin/ci/variables/:key | | 200
  POST /admin/ci/variables | key value variable_type protected masked raw description | 201
  PUT /admin/ci/variables/:key | value variable_type protected masked raw description | 200
  DELETE /admin/ci/variables/:key | | 204

  # Triggers and schedules (API, I2)
  GET P/triggers | | 200
  GET P/triggers/:trigger_id | | 200
  POST P/triggers | description | 201
  PUT P/triggers/:trigger_id | description | 200
  POST P/triggers/:trigger_id/take_ownership | | 201
  DELETE P/triggers/:trigger_id | | 204
  POST P/trigger/pipeline | token ref variables inputs | 201
  POST P/ref/:ref/trigger/pipeline | token variables inputs | 201
  GET P/pipeline_schedules | scope | 200
  GET P/pipeline_schedules/:id | | 200
  GET P/pipeline_schedules/:id/pipelines | | 200
  POST P/pipeline_schedules | description ref cron cron_timezone active inputs | 201
  PUT P/pipeline_schedules/:id | description ref cron cron_timezone active inputs | 200
  POST P/pipeline_schedules/:id/take_ownership | | 201 200
  POST P/pipeline_schedules/:id/play | | 201
  DELETE P/pipeline_schedules/:id | | 204
  POST P/pipeline_schedules/:id/variables | key value variable_type | 201
  PUT P/pipeline_schedules/:id/variables/:key | value variable_type | 200
  DELETE P/pipeline_schedules/:id/variables/:key | | 202

  # Lint (API, I5), statuses (API, E3)
  POST /ci/lint | content include_merged_yaml include_jobs | 200
  POST P/ci/lint | content dry_run include_jobs ref | 200
  GET P/ci/lint | dry_run include_jobs ref dry_run_ref sha content_ref | 200
  GET P/repository/commits/:sha/statuses | ref stage name all pipeline_id order_by sort | 200
  POST P/statuses/:sha | state ref name context target_url description coverage pipeline_id | 201

  # Environments and deployments (API, I8)
  GET P/environments | name search states | 200
  GET P/environments/:environment_id | | 200
  POST P/environments | name external_url tier description | 201
  PUT P/environments/:environment_id | name external_url tier description | 200
  DELETE P/environments/:environment_id | | 204
  POST P/environments/:environment_id/stop | force | 200
  DELETE P/environments/review_apps | before limit dry_run | 200
  POST P/environments/stop_stale | before | 200
  GET P/deployments | order_by sort environment status updated_after updated_before finished_after finished_before | 200
  GET P/deployments/:deployment_id | | 200
  POST P/deployments | environment sha ref tag status | 201
  PUT P/deployments/:deployment_id | status | 200
  DELETE P/deployments/:deployment_id | | 204
  POST P/deployments/:deployment_id/approval | status comment represented_as | 201

  # Releases (API, J)
  GET P/releases | include_html_description order_by sort | 200
  GET P/releases/:tag_name | | 200
  POST P/releases | name tag_name description tag_message ref milestones milestone_ids assets released_at | 201
  PUT P/releases/:tag_name | name description milestones released_at | 200
  DELETE P/releases/:tag_name | | 200
  GET P/releases/permalink/latest | | 302
  GET P/releases/permalink/latest/*suffix | | 302
  GET P/releases/:tag_name/downloads/*path | | 302
  GET G/releases | | 200
  POST P/releases/:tag_name/evidence | | 202
  GET P/releases/:tag_name/evidences/:evidence_id | | 200
  GET P/releases/:tag_name/assets/links | | 200
  GET P/releases/:tag_name/assets/links/:link_id | | 200
  POST P/releases/:tag_name/assets/links | name url filepath direct_asset_path link_type | 201
  PUT P/releases/:tag_name/assets/links/:link_id | name url filepath direct_asset_path link_type | 200
  DELETE P/releases/:tag_name/assets/links/:link_id | | 200
`)
