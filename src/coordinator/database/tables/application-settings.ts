import type { Timestamp } from '../columns.js'

/** A setting that an administrator has changed. */
export interface ApplicationSettingTable {
  name: string
  /** JSON; null if it is a secret. */
  value: string | null
  value_encrypted: string | null
  updated_at: Timestamp
}

type Visibility = 'private' | 'internal' | 'public'

/** The settings that take effect; all others are only kept for clients. Sizes are in MB. */
export interface EffectiveSettings {
  after_sign_up_text: string | null
  allow_local_requests_from_system_hooks: boolean
  allow_local_requests_from_web_hooks_and_services: boolean
  allow_runner_registration_token: boolean
  /** A duration such as `1 month`; null = jobs of any age. */
  archive_builds_in_human_readable: string | null
  can_create_group: boolean
  ci_max_includes: number
  /** A duration such as `30 days`; 0 = artifacts are kept for ever. */
  default_artifacts_expire_in: string
  default_branch_name: string | null
  /** 0 none, 1 developers push, 2 and 4 maintainers only, 3 developers merge. */
  default_branch_protection: number
  default_ci_config_path: string | null
  default_group_visibility: Visibility
  /** The roles that create projects in new groups: 0 none, 1 maintainers, 2 developers and maintainers. */
  default_project_creation: 0 | 1 | 2
  default_project_visibility: Visibility
  default_projects_limit: number
  default_snippet_visibility: Visibility
  /** Days. */
  deletion_adjourned_period: number
  /** Names of identity providers. */
  disabled_oauth_sign_in_sources: string[]
  domain_allowlist: string[]
  domain_denylist: string[]
  domain_denylist_enabled: boolean
  dsa_key_restriction: number
  ecdsa_key_restriction: number
  ed25519_key_restriction: number
  email_additional_text: string | null
  /** `ssh` or `http`; others = both. */
  enabled_git_access_protocol: string | null
  /** Whether users confirm their address: not at all, within three days, or before they sign in with their password. */
  email_confirmation_setting: 'off' | 'soft' | 'hard'
  enforce_terms: boolean
  /** Project with templates of files. */
  file_template_project_id: number | null
  html_emails_enabled: boolean
  import_sources: string[]
  job_shells_enabled: boolean
  keep_latest_artifact: boolean
  max_artifacts_size: number
  /** MB; 0 = no limit. */
  max_pages_size: number
  max_attachment_size: number
  /** MB; 0 = no limit. */
  max_export_size: number
  /** MB; 0 = no limit. */
  max_import_size: number
  mirror_available: boolean
  notes_create_limit: number
  outbound_local_requests_allowlist: string[]
  password_authentication_enabled_for_git: boolean
  password_authentication_enabled_for_web: boolean
  personal_access_token_prefix: string | null
  project_export_enabled: boolean
  protected_ci_variables: boolean
  push_event_activities_limit: number
  push_event_hooks_limit: number
  /** MB; null or 0 = no limit. */
  receive_max_input_size: number | null
  require_admin_approval_after_user_signup: boolean
  require_two_factor_authentication: boolean
  restricted_visibility_levels: Visibility[]
  rsa_key_restriction: number
  /** Seconds. */
  runner_token_expiration_interval: number | null
  search_rate_limit: number
  /** Whether new users confirm their address, if mails are sent. */
  send_user_confirmation_email: boolean
  /** Minutes. */
  session_expire_delay: number
  shared_runners_enabled: boolean
  signup_enabled: boolean
  /** Seconds; 0 = no limit. */
  terminal_max_session_time: number
  /** In Markdown. */
  terms: string | null
  throttle_authenticated_api_enabled: boolean
  throttle_authenticated_api_period_in_seconds: number
  throttle_authenticated_api_requests_per_period: number
  throttle_authenticated_web_enabled: boolean
  throttle_authenticated_web_period_in_seconds: number
  throttle_authenticated_web_requests_per_period: number
  throttle_unauthenticated_api_enabled: boolean
  throttle_unauthenticated_api_period_in_seconds: number
  throttle_unauthenticated_api_requests_per_period: number
  throttle_unauthenticated_enabled: boolean
  throttle_unauthenticated_period_in_seconds: number
  throttle_unauthenticated_requests_per_period: number
  throttle_unauthenticated_web_enabled: boolean
  throttle_unauthenticated_web_period_in_seconds: number
  throttle_unauthenticated_web_requests_per_period: number
  unique_ips_limit_enabled: boolean
  unique_ips_limit_per_user: number | null
  /** Seconds. */
  unique_ips_limit_time_window: number | null
  /** In hours. */
  two_factor_grace_period: number
  user_default_external: boolean
  /** Of the syntax RE2. */
  user_default_internal_regex: string | null
  user_oauth_applications: boolean
  users_get_by_id_limit: number
  valid_runner_registrars: string[]
}

export const EFFECTIVE_DEFAULTS: EffectiveSettings = {
  after_sign_up_text: null,
  allow_local_requests_from_system_hooks: true,
  allow_local_requests_from_web_hooks_and_services: false,
  allow_runner_registration_token: true,
  archive_builds_in_human_readable: null,
  can_create_group: true,
  ci_max_includes: 150,
  default_artifacts_expire_in: '30 days',
  default_branch_name: null,
  default_branch_protection: 2,
  default_ci_config_path: null,
  default_group_visibility: 'private',
  default_project_creation: 2,
  default_project_visibility: 'private',
  default_projects_limit: 100_000,
  default_snippet_visibility: 'private',
  deletion_adjourned_period: 0,
  disabled_oauth_sign_in_sources: [],
  domain_allowlist: [],
  domain_denylist: [],
  domain_denylist_enabled: false,
  dsa_key_restriction: 0,
  ecdsa_key_restriction: 0,
  ed25519_key_restriction: 0,
  email_additional_text: null,
  enabled_git_access_protocol: null,
  email_confirmation_setting: 'hard',
  enforce_terms: false,
  file_template_project_id: null,
  html_emails_enabled: true,
  import_sources: ['git', 'gitlab_project'],
  job_shells_enabled: true,
  keep_latest_artifact: true,
  max_artifacts_size: 100,
  max_pages_size: 100,
  max_attachment_size: 100,
  max_export_size: 0,
  max_import_size: 0,
  mirror_available: true,
  notes_create_limit: 300,
  outbound_local_requests_allowlist: [],
  password_authentication_enabled_for_git: true,
  password_authentication_enabled_for_web: true,
  personal_access_token_prefix: null,
  project_export_enabled: true,
  protected_ci_variables: false,
  push_event_activities_limit: 3,
  push_event_hooks_limit: 3,
  receive_max_input_size: null,
  require_admin_approval_after_user_signup: true,
  require_two_factor_authentication: false,
  restricted_visibility_levels: [],
  rsa_key_restriction: 0,
  runner_token_expiration_interval: null,
  search_rate_limit: 30,
  send_user_confirmation_email: false,
  session_expire_delay: 10_080,
  shared_runners_enabled: true,
  signup_enabled: false,
  terminal_max_session_time: 0,
  terms: null,
  throttle_authenticated_api_enabled: false,
  throttle_authenticated_api_period_in_seconds: 3600,
  throttle_authenticated_api_requests_per_period: 7200,
  throttle_authenticated_web_enabled: false,
  throttle_authenticated_web_period_in_seconds: 3600,
  throttle_authenticated_web_requests_per_period: 7200,
  throttle_unauthenticated_api_enabled: false,
  throttle_unauthenticated_api_period_in_seconds: 3600,
  throttle_unauthenticated_api_requests_per_period: 3600,
  throttle_unauthenticated_enabled: false,
  throttle_unauthenticated_period_in_seconds: 3600,
  throttle_unauthenticated_requests_per_period: 3600,
  throttle_unauthenticated_web_enabled: false,
  throttle_unauthenticated_web_period_in_seconds: 3600,
  throttle_unauthenticated_web_requests_per_period: 3600,
  unique_ips_limit_enabled: false,
  unique_ips_limit_per_user: null,
  unique_ips_limit_time_window: null,
  two_factor_grace_period: 48,
  user_default_external: false,
  user_default_internal_regex: null,
  user_oauth_applications: true,
  users_get_by_id_limit: 300,
  valid_runner_registrars: ['group', 'project'],
}

/** Settings that the configuration of a coordinator gives, by name. */
export type FixedSettings = Readonly<Record<string, { value: unknown; key: string }>>
