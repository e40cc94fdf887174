import type { ApiErrorEntries } from './entry.js'

/** Errors of pipelines, jobs, runners, environments and what else belongs to CI/CD. */
export const CI = {
  pipeline_rate_limit: {
    status: 429,
    message: '<reason>',
    remedy: 'Wait for the seconds of `Retry-After`, or ask an administrator to raise the limit.',
  },
  ref_not_runnable: {
    status: 403,
    message: '403 Forbidden - <reason>',
    remedy: 'Ask a user who may push to or merge into the branch or tag, or restore what the message names.',
  },
  pipeline_variables_forbidden: {
    status: 403,
    message: '403 Forbidden - Insufficient permissions to set pipeline variables',
    remedy: 'Leave out the variables, or ask for the role that the project requires for them.',
  },
  trigger_target_not_found: {
    status: 404,
    message: '404 Not Found',
    remedy: 'Check the project and the token. The user of the trigger must be a member of the project.',
  },
  trigger_variables_not_a_map: {
    status: 400,
    message: 'variables needs to be a map of key-valued strings',
    remedy: 'Send `variables[KEY]=value`, or a JSON object whose values are texts.',
  },
  job_not_retryable: {
    status: 403,
    message: '403 Forbidden - Job is not retryable',
    remedy:
      'Wait until the job ends. A job that was retried already and an external status cannot be retried.',
  },
  chosen_job_not_retryable: {
    status: 403,
    message: '403 Forbidden - Job <job> is not retryable',
    remedy: 'Leave out this job, and retry the others.',
  },
  chosen_job_not_startable: {
    status: 403,
    message: '403 Forbidden - Job <job>: <reason>',
    remedy: 'Leave out this job, or remove the reason.',
  },
  job_not_startable: {
    status: 403,
    message: '403 Forbidden - <reason>',
    remedy: 'Remove the reason that the message names, or start other jobs.',
  },
  no_job_to_start: {
    status: 400,
    message: '400 Bad request - No manual job can be started',
    remedy: 'Wait until a manual job can start: its earlier stages and needs must have succeeded.',
  },
  no_job_to_retry: {
    status: 400,
    message: '400 Bad request - No job of the stage can be retried',
    remedy: 'Retry a stage that has failed or canceled jobs.',
  },
  job_not_playable: {
    status: 400,
    message: '400 Bad request - Unplayable Job',
    remedy: 'Start only jobs with the status `manual` or `scheduled`; retry those that have ended.',
  },
  job_not_scheduled: {
    status: 400,
    message: '400 Bad request - Job is not scheduled',
    remedy: 'Only a job with the status `scheduled` has a start to cancel.',
  },
  job_not_erasable: {
    status: 403,
    message: '403 Forbidden - Job is not erasable!',
    remedy: 'Wait until the job ends. A job can be erased once.',
  },
  job_not_running: {
    status: 403,
    message: '403 Forbidden - Job is not running',
    remedy: 'Nothing: the runner stops the job, because it was canceled or has ended.',
  },
  job_not_held: {
    status: 409,
    message: '409 Conflict - The job has ended and is not held',
    remedy: 'Retry the job with SWITCHYARD_HOLD=failure to hold it.',
  },
  terminals_disabled: {
    status: 403,
    message: '403 Forbidden - This server opens no shells in jobs',
    remedy: 'Ask an administrator to set `job_shells_enabled`, and the operator to set `terminals.enabled`.',
  },
  runner_has_no_terminals: {
    status: 409,
    message: '409 Conflict - The runner of the job opens no shells',
    remedy: 'Retry the job on a runner whose administrator sets `[terminal] enabled` or `[session_server]`.',
  },
  runner_opens_only_shells: {
    status: 409,
    message: '409 Conflict - The runner of this job opens only interactive shells',
    remedy: 'Open a shell without a command, from a terminal.',
  },
  too_many_terminals: {
    status: 429,
    message: '429 Too Many Requests - You have <max> shells in jobs',
    remedy: 'Close one of them.',
  },
  job_inputs_invalid: {
    status: 400,
    message: '400 Bad request - <reason>',
    remedy: 'Correct the inputs that the message names.',
  },
  deployment_not_approved: {
    status: 403,
    message: '403 Forbidden - The deployment of this job requires approvals',
    remedy: 'Ask the approvers of the environment to approve the deployment.',
  },
  not_a_deployer: {
    status: 403,
    message: '403 Forbidden - The environment is protected, and you are not among its deployers',
    remedy: 'Ask a maintainer to add you to those who may deploy to the environment.',
  },
  environment_not_stoppable: {
    status: 403,
    message: '403 Forbidden - <reason>',
    remedy: 'Ask a user who may run the job that stops the environment.',
  },
  environment_search_too_short: {
    status: 400,
    message: '400 Bad request - Search query is less than <min> characters',
    remedy: 'Search for a longer text.',
  },
  stale_date_invalid: {
    status: 400,
    message: '400 Bad request - Invalid Date',
    remedy: 'Send a date that is at least one week and at most ten years ago.',
  },
  deployment_of_job: {
    status: 403,
    message: '403 Forbidden - The status of a deployment that a job created cannot be changed',
    remedy: 'Retry or cancel the job: its status decides about the deployment.',
  },
  deployment_status_final: {
    status: 400,
    message: 'Cannot transition status via <to> from <from>',
    remedy: 'Create another deployment: one that has ended keeps its status.',
  },
  deployment_running: {
    status: 400,
    message: '400 Bad request - Cannot destroy running deployment',
    remedy: 'Wait until the deployment ends, or cancel its job.',
  },
  deployment_is_latest: {
    status: 400,
    message: '400 Bad request - Deployment currently deployed to environment',
    remedy: 'Deploy again first, or delete the environment.',
  },
  deployment_review_forbidden: {
    status: 403,
    message: '403 Forbidden - <reason>',
    remedy: 'Ask another approver of the environment.',
  },
  deployment_review_refused: {
    status: 400,
    message: '400 Bad request - <reason>',
    remedy: 'Read the deployment again, and review only one with the status `blocked`.',
  },
  protected_environment_exists: {
    status: 409,
    message: "Protected environment '<name>' already exists",
    remedy: 'Change the protection that exists.',
  },
  environment_access_invalid: {
    status: 422,
    isList: true,
    message: '<reason>',
    remedy: 'Correct the entries of deployers and approvers.',
  },
  commit_status_refused: {
    status: 400,
    message: '<reason>',
    remedy: 'Report a status that can follow the present one.',
  },
  feature_flag_invalid: {
    status: 400,
    isList: true,
    message: '<reason>',
    remedy: 'Correct the name or the strategies of the feature flag.',
  },
  user_list_in_use: {
    status: 409,
    message: 'User list is associated with a strategy',
    remedy: 'Remove the list from the strategies of feature flags first.',
  },
  variable_ambiguous: {
    status: 409,
    message: "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
    remedy: 'Send `filter[environment_scope]` with the scope of the variable.',
  },
  secure_files_forbidden: {
    status: 403,
    message:
      '403 Forbidden - The secure files of this project are available only to jobs on protected refs and to maintainers',
    remedy: 'Protect the branch or tag of the job, or read the file as a maintainer.',
  },
  schedule_of_other_user: {
    status: 403,
    message:
      '403 Forbidden - Only the owner of a pipeline schedule may change it; maintainers may take ownership',
    remedy: 'Take ownership of the schedule first.',
  },
  artifacts_forbidden: {
    status: 403,
    message: '403 Forbidden - The artifacts of this job are available only to <readers>',
    remedy: 'Ask for the role, or change `artifacts:access` of the job.',
  },
  artifact_path_invalid: {
    status: 400,
    message: '400 Bad request - Invalid path',
    remedy: 'Give the path of a file in the archive, without `..`.',
  },
  archive_too_long_to_list: {
    status: 422,
    message: '422 Unprocessable - The archive has too many files to list them',
    remedy: 'Download the archive, or a file of it by its path.',
  },
  artifact_too_large: {
    status: 413,
    message: '413 Request Entity Too Large - file size has reached maximum size limit(<max>)',
    remedy:
      'Upload fewer or smaller files, or ask for a higher limit of the project, its groups or the instance.',
  },
  artifact_exists: {
    status: 400,
    message: '400 Bad request - another artifact of the same type already exists',
    remedy: 'Upload each type of report once in a job.',
  },
  artifact_format_invalid: {
    status: 400,
    message: '400 Bad request - Invalid file format with specified file type',
    remedy: 'Send the format of the type: `zip` for archives, `gzip` for most reports.',
  },
  artifact_file_missing: {
    status: 400,
    message: '400 Bad request - The request contains no file named <field>',
    remedy: 'Send the archive as a file of the form.',
  },
  artifact_files_too_many: {
    status: 400,
    message: '400 Bad request - The request must contain exactly one file, named <field>',
    remedy: 'Send one file.',
  },
  report_not_resumable: {
    status: 413,
    message: '413 Request Entity Too Large - a report of type <type> must be sent in one request',
    remedy: 'Upload a smaller report of this type.',
  },
  report_invalid: {
    status: 400,
    message: '400 Bad request - <reason>',
    remedy: 'Correct the report that the job writes.',
  },
  upload_offset_mismatch: {
    status: 409,
    message: 'The upload has <size> bytes',
    remedy: 'Continue the upload at this offset.',
  },
  header_missing: {
    status: 400,
    message: '400 Bad request - Missing header <header>',
    remedy: 'Send the header. Runners send it; a proxy may have removed it.',
  },
  job_not_failed: {
    status: 400,
    message: '400 Bad request - The job has the status <status>: only a failed job has a failure',
    remedy: 'Wait until the job has ended, or ask for a job with the status `failed`.',
  },
  debug_log_forbidden: {
    status: 403,
    message:
      '403 Forbidden - The log was written with CI_DEBUG_TRACE or CI_DEBUG_SERVICES: reading it requires the Developer role',
    remedy: 'Ask for the Developer role, or retry the job without these variables.',
  },
  log_search_not_one_line: {
    status: 400,
    message: '400 Bad request - q must be one line',
    remedy: 'Search for the text of one line.',
  },
  log_search_invalid: {
    status: 400,
    message: '400 Bad request - q is not a valid regular expression: <reason>',
    remedy: 'Correct the expression, or search for plain text.',
  },
  runner_forbidden: {
    status: 403,
    message: '403 Forbidden - No access granted',
    remedy: 'Ask a maintainer of its project, an owner of its group, or an administrator.',
  },
  runner_scope_invalid: {
    status: 400,
    message: 'Scope contains invalid value',
    remedy: 'Use a scope that the OpenAPI document lists.',
  },
  runner_of_several_projects: {
    status: 403,
    message: '403 Forbidden - Runner associated with more than one project',
    remedy: 'Ask an administrator, or disable the runner in the other projects first.',
  },
  runner_of_one_project: {
    status: 403,
    message: '403 Forbidden - Only one project associated with the runner. Please remove the runner instead',
    remedy: 'Delete the runner.',
  },
  runner_of_instance: {
    status: 403,
    message: '403 Forbidden - Runner is an instance runner',
    remedy: 'Turn on instance runners of the project instead.',
  },
  runner_of_group: {
    status: 403,
    message: '403 Forbidden - Runner is a group runner',
    remedy: 'Turn on group runners of the project instead.',
  },
  runner_locked: {
    status: 403,
    message: '403 Forbidden - Runner is locked',
    remedy: 'Unlock the runner first.',
  },
  registration_token_invalid: {
    status: 403,
    message: '403 Forbidden - invalid token supplied',
    remedy: 'Create the runner on its page, and register it with the token that the page shows.',
  },
  registration_tokens_disabled: {
    status: 403,
    message: '403 Forbidden - Registration tokens are disabled. Create the runner first.',
    remedy: 'Create the runner on its page, and register it with the token that the page shows.',
  },
  registration_disabled: {
    status: 403,
    message: '403 Forbidden - Runner registration is disabled',
    remedy: 'Ask an administrator to allow runners of projects or groups.',
  },
} as const satisfies ApiErrorEntries
