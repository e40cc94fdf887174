/** Settings that a file may hold (runner protocol, 9.2 to 9.5) and that this runner does not act on. */

export const GLOBAL = ['sentry_dsn', 'connection_max_age', 'user', 'session_server']

export const ENTRY = ['cache_dir', 'shell', 'monitoring']

export const CACHE_S3 = ['RoleARN', 'UploadRoleARN']

export const DOCKER = [
  'helper_image',
  'helper_image_flavor',
  // They are those of another log driver than the one that jobs need to outlive their runner.
  'log_options',
]
