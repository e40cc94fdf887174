import { DAY, HOUR, MINUTE, SECOND, WEEK } from '../../lib/time-units.js'
import { formatBytes } from '../kit/bytes.js'

/** Milliseconds in the unit of attributes that are durations. */
const DURATIONS: Readonly<Record<string, number>> = {
  session_expire_delay: MINUTE,
  mirror_max_delay: MINUTE,
  container_registry_token_expire_delay: MINUTE,
  shared_runners_minutes: MINUTE,
  shared_runners_minutes_limit: MINUTE,
  extra_shared_runners_minutes_limit: MINUTE,
  deletion_adjourned_period: DAY,
  build_timeout: SECOND,
  maximum_timeout: SECOND,
  runner_token_expiration_interval: SECOND,
  group_runner_token_expiration_interval: SECOND,
  project_runner_token_expiration_interval: SECOND,
  two_factor_grace_period: HOUR,
  unique_ips_limit_time_window: SECOND,
  terminal_max_session_time: SECOND,
  external_authorization_service_timeout: SECOND,
  gitaly_timeout_default: SECOND,
  gitaly_timeout_fast: SECOND,
  gitaly_timeout_medium: SECOND,
  geo_status_timeout: SECOND,
}
const PERIOD_IN_SECONDS = /^throttle_\w+_period_in_seconds$/

/** Bytes in the unit of attributes that are sizes. */
const SIZES: Readonly<Record<string, number>> = {
  max_attachment_size: 1024 ** 2,
  max_export_size: 1024 ** 2,
  max_import_size: 1024 ** 2,
  max_artifacts_size: 1024 ** 2,
  max_pages_size: 1024 ** 2,
  receive_max_input_size: 1024 ** 2,
  max_file_size: 1024 ** 2,
  diff_max_patch_bytes: 1,
  repository_size_limit: 1,
}

/** A number of an attribute with its unit; the number itself if it has none. */
export function auditNumber(attribute: string, value: number): string {
  const unit = DURATIONS[attribute] ?? (PERIOD_IN_SECONDS.test(attribute) ? SECOND : undefined)
  // Zero mostly means that there is no limit.
  if (value === 0) return '0'
  if (unit !== undefined) return durationInWords(value * unit)
  const bytes = SIZES[attribute]
  return bytes === undefined ? String(value) : formatBytes(value * bytes)
}

const UNITS = [
  [WEEK, 'week'],
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
] as const

/** The whole duration, such as "1 week" or "1 hour 30 minutes". */
function durationInWords(milliseconds: number): string {
  const parts: string[] = []
  let rest = milliseconds
  for (const [unit, name] of UNITS) {
    const count = unit === SECOND ? rest / unit : Math.floor(rest / unit)
    rest -= count * unit
    if (count !== 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
  }
  return parts.join(' ')
}
