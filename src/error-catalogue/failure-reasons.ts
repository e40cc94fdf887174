interface FailureEntry {
  /** What has happened, without a full stop. */
  meaning: string
  /** What the user can do. */
  remedy: string
  /** This coordinator and this runner do not report it. Other runners may, and `retry:when` accepts it. */
  isForeign?: true
}

type FailureEntries = Record<string, FailureEntry>

/** Failure reasons of all jobs (CI language, 10.3), which the coordinator lists for runners. */
export const JOB_FAILURES = {
  unknown_failure: {
    meaning: 'the runner gave no reason, or one that the coordinator does not know',
    remedy: 'Read the end of the log.',
  },
  script_failure: {
    meaning: 'a command of the job ended with an exit code other than 0, or a file of the job is missing',
    remedy: 'Read the end of the log and correct the script.',
  },
  api_failure: {
    meaning: 'the runner could not use the API',
    remedy: 'Retry the job, and read the log of the runner.',
    isForeign: true,
  },
  stuck_or_timeout_failure: {
    meaning: 'the job waited or ran for too long',
    remedy: 'In `retry:when`, write the reasons with `stuck_pending` and `no_updates` instead.',
    isForeign: true,
  },
  runner_system_failure: {
    meaning: 'something went wrong in the runner or its container engine',
    remedy: 'Retry the job. If it fails again, give the log to the administrator of the runner.',
  },
  missing_dependency_failure: {
    meaning: 'an artifact that the job needs was deleted, has expired or was never uploaded',
    remedy: 'Retry the job that makes the artifact, or let its artifacts expire later.',
  },
  runner_unsupported: {
    meaning: 'the runner cannot do what the job needs',
    remedy: 'Update the runner, or add tags of a runner that can.',
  },
  stale_schedule: {
    meaning: 'a delayed job was more than an hour late',
    remedy: 'Start the job by hand, or run the pipeline again.',
  },
  job_execution_timeout: {
    meaning: 'the job or one of its steps ran beyond its timeout',
    remedy: 'Make the job faster, or raise `timeout` of the job, its project or the runner.',
  },
  archived_failure: {
    meaning: 'the job or its project is archived',
    remedy: 'Run a new pipeline, or unarchive the project.',
  },
  unmet_prerequisites: {
    meaning: 'the job asks for an identity in a cloud, which this server does not provide',
    remedy: 'Write `id_tokens` instead of `identity`, and exchange the token in the script.',
  },
  scheduler_failure: {
    meaning: 'the coordinator could not prepare the job for the runner',
    remedy: 'Retry the job. If it fails again, an administrator reads the log of the coordinator.',
  },
  data_integrity_failure: {
    meaning: 'data of the job are inconsistent',
    remedy: 'Run a new pipeline.',
    isForeign: true,
  },
  forward_deployment_failure: {
    meaning: 'newer code was deployed to the environment already',
    remedy: 'Deploy the newest commit, or roll back on the page of the environment.',
    isForeign: true,
  },
  user_blocked: {
    meaning: 'the user of the job is blocked',
    remedy: 'Let another user run the job.',
  },
  project_deleted: {
    meaning: 'the project was deleted',
    remedy: 'Nothing: the pipeline belongs to the deleted project.',
    isForeign: true,
  },
  ci_quota_exceeded: {
    meaning: 'the project has used its minutes',
    remedy: 'Ask an administrator. This server has no such quota.',
    isForeign: true,
  },
  pipeline_loop_detected: {
    meaning: 'trigger jobs start each other in a loop',
    remedy: 'Remove one of the trigger jobs, or give it `rules`.',
  },
  no_matching_runner: {
    meaning: 'no runner matches the job',
    remedy: 'Add a runner with the tags of the job, or remove tags.',
    isForeign: true,
  },
  trace_size_exceeded: {
    meaning: 'the log is longer than its limit',
    remedy: 'Print less, or write the output to a file that is an artifact.',
  },
  builds_disabled: {
    meaning: 'pipelines of the project are disabled',
    remedy: 'Enable CI/CD in the settings of the project.',
  },
  environment_creation_failure: {
    meaning: 'the name of the environment is not valid',
    remedy: 'Correct `environment:name` and the variables in it.',
  },
  protected_environment_failure: {
    meaning: 'the user of the job may not deploy to the protected environment',
    remedy: 'Ask one of the deployers to run the job, or a maintainer to add the user to them.',
  },
  deployment_rejected: {
    meaning: 'an approver rejected the deployment',
    remedy: 'Read the comment of the approver, and run a new pipeline.',
  },
  failed_outdated_deployment_job: {
    meaning: 'newer code was deployed to the environment already',
    remedy: 'Deploy the newest commit, or roll back on the page of the environment.',
  },
  job_execution_server_timeout: {
    meaning: 'the job ran beyond its timeout, and the coordinator ended it',
    remedy: 'Make the job faster, or raise its `timeout`.',
    isForeign: true,
  },
  stuck_pending_with_matching_runners: {
    meaning: 'no matching runner was free for a day',
    remedy: 'Add runners, or raise `concurrent` of those that exist.',
  },
  stuck_pending_no_matching_runners: {
    meaning: 'no runner that is online matched for an hour',
    remedy: 'Start a runner with the tags of the job, or remove tags.',
  },
  no_updates_running: {
    meaning: 'the runner has not reported for too long',
    remedy: 'Look whether the machine of the runner is up and reaches the coordinator, and retry the job.',
  },
  no_updates_canceling: {
    meaning: 'the runner has not reported for too long while the job was being canceled',
    remedy: 'Look whether the machine of the runner is up and reaches the coordinator.',
  },
  server_timeout_running: {
    meaning: 'the job ran beyond its timeout, and the runner did not end it',
    remedy: 'Look at the log of the runner, and retry the job.',
  },
  server_timeout_canceling: {
    meaning: 'the job ran beyond its timeout while it was being canceled',
    remedy: 'Look at the log of the runner.',
  },
  runner_configuration_error: {
    meaning: 'settings of the runner, or keywords of the CI file, do not fit this runner',
    remedy: 'Read the end of the log, which names the setting or keyword.',
  },
  runner_external_dependency_failure: {
    meaning: 'a registry or the network was not reachable from the runner',
    remedy: 'Retry the job later.',
  },
  runner_interrupted: {
    meaning: 'the runner was stopped while the job ran',
    remedy: 'Retry the job.',
    isForeign: true,
  },
  image_pull_failure: {
    meaning: 'the image cannot be pulled',
    remedy: 'Correct the name of the image, or the credentials of its registry.',
  },
  secrets_provider_not_found: {
    meaning: 'the job has `secrets`, and no provider of secrets is set up',
    remedy: 'Set the variables of the provider, which the message of the job names.',
  },
} as const satisfies FailureEntries

/** Failure reasons of trigger jobs only (CI language, 10.3 and 13.2). */
export const TRIGGER_JOB_FAILURES = {
  insufficient_bridge_permissions: {
    meaning: 'the user of the job may not run pipelines in the other project',
    remedy: 'Ask for the Developer role in the other project.',
  },
  downstream_bridge_project_not_found: {
    meaning: 'the other project does not exist, or the user of the job cannot see it',
    remedy: 'Correct `trigger:project`, or ask for access to the project.',
  },
  invalid_bridge_trigger: {
    meaning: 'the job starts a pipeline of its own project without `trigger:include`',
    remedy: 'Write `trigger:include` for a child pipeline.',
  },
  upstream_bridge_project_not_found: {
    meaning: 'the project of `needs:pipeline` does not exist, or its default branch has no pipeline',
    remedy: 'Correct `needs:pipeline`, or run a pipeline on the default branch.',
  },
  insufficient_upstream_permissions: {
    meaning: 'the user of the job may not see the pipelines of the other project',
    remedy: 'Ask for the Reporter role in the other project.',
  },
  downstream_pipeline_creation_failed: {
    meaning: 'the other pipeline could not be created',
    remedy: 'Read the errors on the page of the job, and correct the CI file that they name.',
  },
  reached_max_descendant_pipelines_depth: {
    meaning: 'child pipelines are nested too deeply',
    remedy: 'Start the pipeline from a job that is higher in the hierarchy.',
  },
  reached_max_pipeline_hierarchy_size: {
    meaning: 'the hierarchy of pipelines has too many pipelines',
    remedy: 'Start fewer pipelines, for example with `parallel` jobs instead.',
  },
  reached_downstream_pipeline_trigger_rate_limit: {
    meaning: 'more pipelines were created in a minute than the instance allows',
    remedy: 'Retry the job after a minute, or ask an administrator to raise the limit.',
  },
} as const satisfies FailureEntries

export type BridgeFailureReason = keyof typeof TRIGGER_JOB_FAILURES
