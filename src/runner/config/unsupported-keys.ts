/** Settings that a file may contain (runner protocol, 9.2 to 9.5) and that this runner does not support. */

export const GLOBAL = ['sentry_dsn', 'connection_max_age', 'user', 'session_server']

export const ENTRY = ['cache_dir', 'shell', 'monitoring']

export const CACHE_S3 = ['RoleARN', 'UploadRoleARN']

export const AUTOSCALER = [
  // `connect` of the plugin says how to connect.
  'connector_config',
  // A job waits for a machine as long as prepare_timeout allows.
  'instance_acquire_timeout',
  'scale_throttle',
  'state_storage',
  'deletion_retry_interval',
  'shutdown_deletion_interval',
  'shutdown_deletion_retries',
  'log_internal_ip',
  'log_external_ip',
  'vm_isolation',
]

export const DOCKER = [
  'helper_image',
  'helper_image_flavor',
  // These options belong to another log driver. Jobs need their own log driver to outlive the runner.
  'log_options',
]

export const KUBERNETES = [
  // A job cannot act as another account: one connection of the runner follows the pods of all its jobs.
  'bearer_token_overwrite_allowed',
  // The helper image is that of this version, for all architectures, or `helper_image`.
  'helper_image_flavor',
  'helper_image_autoset_arch_and_os',
  // Pods are watched, not polled.
  'poll_interval',
  // How long failed calls are repeated is in `cluster_away_timeout`.
  'retry_limit',
  'retry_backoff_max',
  'retry_limits',
  'cleanup_resources_timeout',
  // The controllers of the cluster wait for service accounts and secrets.
  'resource_availability_check_max_attempts',
  'pod_disruption_budget',
  // Scripts and their output are in volumes of their own.
  'logs_base_dir',
  'scripts_base_dir',
  'autoscaler',
  'suspend_pvc_size',
  'suspend_pvc_storage_class',
]

/** Of `services` of an executor. */
export const SERVICE = ['suspend_data_path']
