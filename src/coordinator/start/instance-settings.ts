import { parseDuration } from '../../ci-config/duration.js'
import type { Database } from '../database/connect.js'
import { changedSettings } from '../database/stores/application-setting-store.js'
import type { EffectiveSettings } from '../database/tables/application-settings.js'
import type { CoordinatorSettings } from './config/settings.js'

const MEGABYTE = 1024 * 1024

/**
 * Settings that both administrators and the configuration give: the configuration takes precedence, and its default
 * holds for those that nobody has changed. They are read at each use.
 */
export class InstanceSettings {
  constructor(
    private readonly database: Database,
    private readonly configured: CoordinatorSettings,
  ) {}

  async artifactsMaxBytes(): Promise<number> {
    const megabytes = await this.changed('max_artifacts_size')
    return megabytes === undefined ? this.configured.artifactsMaxBytes : megabytes * MEGABYTE
  }

  /** Seconds for which artifacts without `expire_in` are kept; 0 = unlimited. */
  async artifactsExpireSeconds(): Promise<number> {
    const duration = await this.changed('default_artifacts_expire_in')
    return (
      (duration === undefined ? undefined : parseDuration(duration)) ?? this.configured.artifactsExpireSeconds
    )
  }

  /** Days. */
  async deletionAdjournedPeriod(): Promise<number> {
    return (await this.changed('deletion_adjourned_period')) ?? this.configured.deletionAdjournedPeriod
  }

  private async changed<Name extends keyof EffectiveSettings>(
    name: Name,
  ): Promise<EffectiveSettings[Name] | undefined> {
    if (name in this.configured.fixed) return undefined
    return (await changedSettings(this.database, name))[name]
  }
}
