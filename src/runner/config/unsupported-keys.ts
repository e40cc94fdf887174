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
