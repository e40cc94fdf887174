import type { EffectiveSettings, FixedSettings } from '../../database/tables/application-settings.js'
import type { SettingSources } from './setting-sources.js'

/** Settings of the configuration that are application settings as well. */
interface Configured {
  artifactsMaxBytes: number
  artifactsExpireSeconds: number
  deletionAdjournedPeriod: number
}

const MEGABYTE = 1024 * 1024

/** The application settings that each setting of the configuration determines. */
const DETERMINED: Record<string, (settings: Configured) => Partial<EffectiveSettings>> = {
  'artifacts.max_bytes': ({ artifactsMaxBytes }) => ({
    max_artifacts_size: Math.floor(artifactsMaxBytes / MEGABYTE),
  }),
  'artifacts.expire_seconds': ({ artifactsExpireSeconds }) => ({
    default_artifacts_expire_in: `${artifactsExpireSeconds} seconds`,
  }),
  deletion_adjourned_period: ({ deletionAdjournedPeriod }) => ({
    deletion_adjourned_period: deletionAdjournedPeriod,
  }),
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
