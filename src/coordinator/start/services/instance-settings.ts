import { parseLifetime } from '../../../ci-config/duration.js'
import { EgressRules, parseAllowedHost } from '../../../egress/egress-rules.js'
import type { Logger } from '../../../lib/logger.js'
import { SECONDS_PER_MINUTE } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import { changedSettings } from '../../database/stores/application-setting-store.js'
import { EFFECTIVE_DEFAULTS, type EffectiveSettings } from '../../database/tables/application-settings.js'
import type { EgressSettings } from '../../egress/egress-client.js'
import type { AddressLimit } from '../../http/rate-limits/addresses-of-users.js'
import type { RequestLimit, RequestLimits } from '../../http/rate-limits/rate-limits.js'
import type { CoordinatorSettings } from '../config/settings.js'

/** Settings that are needed so often that they are kept in memory. */
const KEPT = [
  'allow_local_requests_from_system_hooks',
  'allow_local_requests_from_web_hooks_and_services',
  'enabled_git_access_protocol',
  'job_shells_enabled',
  'outbound_local_requests_allowlist',
  'password_authentication_enabled_for_git',
  'throttle_authenticated_api_enabled',
  'throttle_authenticated_api_period_in_seconds',
  'throttle_authenticated_api_requests_per_period',
  'throttle_authenticated_web_enabled',
  'throttle_authenticated_web_period_in_seconds',
  'throttle_authenticated_web_requests_per_period',
  'throttle_unauthenticated_enabled',
  'throttle_unauthenticated_period_in_seconds',
  'throttle_unauthenticated_requests_per_period',
  'throttle_unauthenticated_api_enabled',
  'throttle_unauthenticated_api_period_in_seconds',
  'throttle_unauthenticated_api_requests_per_period',
  'throttle_unauthenticated_web_enabled',
  'throttle_unauthenticated_web_period_in_seconds',
  'throttle_unauthenticated_web_requests_per_period',
  'notes_create_limit',
  'search_rate_limit',
  'terminal_max_session_time',
  'users_get_by_id_limit',
  'unique_ips_limit_enabled',
  'unique_ips_limit_per_user',
  'unique_ips_limit_time_window',
] as const satisfies readonly (keyof EffectiveSettings)[]

type KeptSettings = Pick<EffectiveSettings, (typeof KEPT)[number]>

type Throttled =
  | 'authenticated_api'
  | 'authenticated_web'
  | 'unauthenticated'
  | 'unauthenticated_api'
  | 'unauthenticated_web'

const MEGABYTE = 1024 * 1024
const TEN_MINUTES = 600

/**
 * Settings that both administrators and the configuration give: the configuration takes precedence, and its default
 * holds for those that nobody has changed. They are read at each use. Those that are needed often are kept, and read
 * again when this or another coordinator changes settings.
 */
export class InstanceSettings implements EgressSettings {
  private kept: KeptSettings = EFFECTIVE_DEFAULTS
  /** Local hosts to which requests of users are allowed. */
  allowed = new EgressRules()
  requestLimits: RequestLimits
  /** The rules for system hooks. */
  readonly systemHooks: EgressSettings

  constructor(
    private readonly database: Database,
    private readonly configured: CoordinatorSettings,
    private readonly logger: Logger,
  ) {
    this.requestLimits = this.limitsOf(this.kept)
    this.systemHooks = systemHooksOf(this, () => this.kept.allow_local_requests_from_system_hooks)
  }

  /** Reads the kept settings. */
  async load(): Promise<void> {
    this.kept = { ...EFFECTIVE_DEFAULTS, ...(await changedSettings(this.database, ...KEPT)) }
    const hosts = this.kept.outbound_local_requests_allowlist.map(parseAllowedHost)
    this.allowed = new EgressRules(hosts.filter((host) => host !== undefined))
    this.requestLimits = this.limitsOf(this.kept)
  }

  /** As `load`, in the background. After an error, which is logged, the earlier settings hold. */
  loadLater(): void {
    this.load().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'The settings of the instance could not be read'),
    )
  }

  /** Whether requests of users may reach the local network. */
  get allowLocalNetwork(): boolean {
    const isConfigured = 'allow_local_requests_from_web_hooks_and_services' in this.configured.fixed
    const isAllowed = !isConfigured && this.kept.allow_local_requests_from_web_hooks_and_services
    return isAllowed || this.configured.egress.allowLocalNetwork
  }

  /** Whether git accepts the passwords of users. */
  get takesPasswordsForGit(): boolean {
    return this.kept.password_authentication_enabled_for_git
  }

  /** Whether people may open shells in jobs. */
  get allowsJobShells(): boolean {
    return this.configured.areTerminalsEnabled && this.kept.job_shells_enabled
  }

  /** Longest shell in a job, in seconds; 0 = no limit. */
  get maxShellSeconds(): number {
    return this.kept.terminal_max_session_time
  }

  /** Whether git may use the protocol. */
  allowsGitOver(protocol: 'ssh' | 'http'): boolean {
    const only = this.kept.enabled_git_access_protocol
    return only === protocol || (only !== 'ssh' && only !== 'http')
  }

  async artifactsMaxBytes(): Promise<number> {
    const megabytes = await this.changed('max_artifacts_size')
    return megabytes === undefined ? this.configured.artifactsMaxBytes : megabytes * MEGABYTE
  }

  /** Seconds for which artifacts without `expire_in` are kept; 0 = unlimited. */
  async artifactsExpireSeconds(): Promise<number> {
    const duration = await this.changed('default_artifacts_expire_in')
    return (
      (duration === undefined ? undefined : parseLifetime(duration)) ?? this.configured.artifactsExpireSeconds
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

  private limitsOf(kept: KeptSettings): RequestLimits {
    const { authenticated, unauthenticated } = this.configured.rateLimits
    const { fixed } = this.configured
    const throttleOf = (...names: Throttled[]): RequestLimit | undefined => {
      const name = names.find((one) => kept[`throttle_${one}_enabled`])
      if (name === undefined || `throttle_${name}_enabled` in fixed) return undefined
      return {
        requests: kept[`throttle_${name}_requests_per_period`],
        seconds: kept[`throttle_${name}_period_in_seconds`],
      }
    }
    return {
      authenticated: throttleOf('authenticated_api') ?? {
        requests: authenticated,
        seconds: SECONDS_PER_MINUTE,
      },
      unauthenticated: throttleOf('unauthenticated_api', 'unauthenticated') ?? {
        requests: unauthenticated,
        seconds: SECONDS_PER_MINUTE,
      },
      ofOperations: {
        notes: { requests: kept.notes_create_limit, seconds: SECONDS_PER_MINUTE },
        search: { requests: kept.search_rate_limit, seconds: SECONDS_PER_MINUTE },
        users: { requests: kept.users_get_by_id_limit, seconds: TEN_MINUTES },
      },
      pages: {
        authenticated: throttleOf('authenticated_web'),
        unauthenticated: throttleOf('unauthenticated_web', 'unauthenticated'),
      },
      addresses: addressLimitOf(kept),
    }
  }
}

function systemHooksOf(settings: InstanceSettings, isAllowed: () => boolean): EgressSettings {
  return {
    get allowLocalNetwork() {
      return isAllowed() || settings.allowLocalNetwork
    },
    get allowed() {
      return settings.allowed
    },
  }
}

function addressLimitOf({
  unique_ips_limit_enabled,
  unique_ips_limit_per_user: most,
  unique_ips_limit_time_window: seconds,
}: KeptSettings): AddressLimit | undefined {
  return unique_ips_limit_enabled && most !== null && seconds !== null ? { most, seconds } : undefined
}
