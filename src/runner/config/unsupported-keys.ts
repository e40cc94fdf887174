/** Settings that a file may contain (runner protocol, 9.2 to 9.5) and that this runner does not support. */

export const GLOBAL = ['sentry_dsn', 'connection_max_age', 'user', 'session_server']

export const ENTRY = ['cache_dir', 'shell', 'monitoring']

export const CACHE_S3 = ['RoleARN', 'UploadRoleARN']

export const DOCKER = [
  'helper_image',
  'helper_image_flavor',
  // These options belong to another log driver. Jobs need their own log driver to outlive the runner.
  'log_options',
]
