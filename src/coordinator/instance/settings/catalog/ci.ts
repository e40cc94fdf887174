import { parseDuration, parseLifetime } from '../../../../ci-config/duration.js'
import { SECONDS_PER_DAY } from '../../../../lib/time-units.js'
import { EFFECTIVE_DEFAULTS } from '../../../database/tables/application-settings.js'
import { type Attribute, flag, integer, text, texts } from '../attribute.js'

/** A petabyte. */
const MAX_MEGABYTES = 1024 ** 3

/** Pipelines, runners and artifacts. */
export const ci = {
  allow_runner_registration_token: flag('Whether registration tokens register runners.', {
    fallback: EFFECTIVE_DEFAULTS.allow_runner_registration_token,
  }),
  archive_builds_in_human_readable: text(
    'Age, such as `1 month`, above which jobs are not retried or started by hand; at least a day.',
    { check: isArchiveAge },
  ),
  auto_devops_domain: text('Domain of automatic deployments.'),
  auto_devops_enabled: flag('Whether projects without a CI file get a pipeline.'),
  ci_max_includes: integer('Number of files that a CI file includes.', {
    maximum: 10_000,
    fallback: EFFECTIVE_DEFAULTS.ci_max_includes,
  }),
  container_registry_token_expire_delay: integer('Minutes in which a token for images is valid.', {
    fallback: 5,
  }),
  default_artifacts_expire_in: text('How long artifacts are kept, such as `30 days`; `0` = for ever.', {
    fallback: EFFECTIVE_DEFAULTS.default_artifacts_expire_in,
    check: isDuration,
  }),
  default_ci_config_path: text('Path of the CI file of new projects; empty = `.gitlab-ci.yml`.', {
    fallback: EFFECTIVE_DEFAULTS.default_ci_config_path,
  }),
  job_shells_enabled: flag('Whether people open shells in held and running jobs, where runners allow them.', {
    fallback: EFFECTIVE_DEFAULTS.job_shells_enabled,
  }),
  keep_latest_artifact: flag('Whether the newest artifacts of a branch are kept.', {
    fallback: EFFECTIVE_DEFAULTS.keep_latest_artifact,
  }),
  max_artifacts_size: integer('Largest artifacts of a job in MB.', {
    minimum: 1,
    maximum: MAX_MEGABYTES,
    fallback: EFFECTIVE_DEFAULTS.max_artifacts_size,
  }),
  max_pages_size: integer('Largest site of a project in MB; 0 = no limit.', {
    fallback: EFFECTIVE_DEFAULTS.max_pages_size,
  }),
  pages_domain_verification_enabled: flag('Whether domains of sites are verified.', { fallback: true }),
  protected_ci_variables: flag('Whether new variables are protected.', {
    fallback: EFFECTIVE_DEFAULTS.protected_ci_variables,
  }),
  runner_token_expiration_interval: integer('Seconds in which a token of a runner is valid.'),
  shared_runners_enabled: flag('Whether instance runners take jobs of new projects.', {
    fallback: EFFECTIVE_DEFAULTS.shared_runners_enabled,
  }),
  shared_runners_minutes: integer('Minutes of instance runners for each group; 0 = no limit.', {
    fallback: 0,
  }),
  shared_runners_text: text('Text about instance runners.'),
  valid_runner_registrars: texts('Who registers runners: `group`, `project`.', {
    fallback: EFFECTIVE_DEFAULTS.valid_runner_registrars,
  }),
} satisfies Record<string, Attribute>

function isArchiveAge(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const seconds = parseDuration(value)
  if (seconds === undefined) return 'is not a duration'
  return seconds < SECONDS_PER_DAY ? 'must be at least one day' : undefined
}

function isDuration(value: unknown): string | undefined {
  return typeof value !== 'string' || parseLifetime(value) !== undefined ? undefined : 'is not a duration'
}
