import type { EffectiveSettings, FixedSettings } from '../../database/tables/application-settings.js'
import type { SettingSources } from './setting-sources.js'

/** Settings of the configuration that are application settings as well. */
interface Configured {
  artifactsMaxBytes: number
  artifactsExpireSeconds: number
  deletionAdjournedPeriod: number
  egress: { allowLocalNetwork: boolean }
  rateLimits: { authenticated: number; unauthenticated: number }
}

const MEGABYTE = 1024 * 1024

/** The application settings that each setting of the configuration determines. */
const DETERMINED: Record<string, (settings: Configured) => Partial<EffectiveSettings>> = {
  'artifacts.max_bytes': ({ artifactsMaxBytes }) => ({
    max_artifacts_size: Math.floor(artifactsMaxBytes / MEGABYTE),
  }),
  'artifacts.expire_seconds': ({ artifactsExpireSeconds }) => ({
    default_artifacts_expire_in: artifactsExpireSeconds === 0 ? '0' : `${artifactsExpireSeconds} seconds`,
  }),
  deletion_adjourned_period: ({ deletionAdjournedPeriod }) => ({
    deletion_adjourned_period: deletionAdjournedPeriod,
  }),
  'outbound.allow_local_network': ({ egress }) => ({
    allow_local_requests_from_web_hooks_and_services: egress.allowLocalNetwork,
  }),
  'rate_limits.authenticated_per_minute': ({ rateLimits }) =>
    throttle('authenticated_api', rateLimits.authenticated),
  'rate_limits.unauthenticated_per_minute': ({ rateLimits }) => ({
    ...throttle('unauthenticated', rateLimits.unauthenticated),
    ...throttle('unauthenticated_api', rateLimits.unauthenticated),
  }),
}

function throttle(
  whom: 'authenticated_api' | 'unauthenticated' | 'unauthenticated_api',
  perMinute: number,
): Partial<EffectiveSettings> {
  return {
    [`throttle_${whom}_enabled`]: perMinute > 0,
    [`throttle_${whom}_period_in_seconds`]: 60,
    [`throttle_${whom}_requests_per_period`]: Math.max(1, perMinute),
  }
}

/** The application settings that the configuration gives, with their values and the names of its settings. */
export function fixedSettings(sources: SettingSources, settings: Configured): FixedSettings {
  const given = Object.entries(DETERMINED).filter(([key]) => sources.has(key))
  return Object.fromEntries(
    given.flatMap(([key, valuesOf]) =>
      Object.entries(valuesOf(settings)).map(([name, value]) => [name, { value, key }]),
    ),
  )
}
