/** What an engine can do, by its own account. No code asks for the name of an engine, which is for display. */
export interface EngineCapabilities {
  /** For example `Docker Engine` or `Podman Engine`. */
  product: string
  version: string
  apiVersion: string
  /** Whether the engine itself runs without root. */
  isRootless: boolean
  /** Whether the users of containers have other numbers on the machine of the engine. */
  mapsUsers: boolean
  storageDriver: string
  /** 1 or 2. Undefined if the engine does not say. */
  cgroupVersion: number | undefined
  /** Names that a container may have as its log driver. */
  logDrivers: readonly string[]
  /** Whether the containers of a network find each other by name. */
  resolvesNames: boolean
  /**
   * Whether health checks of images run when they are requested (`services/request-health.ts`). Other engines run them by
   * themselves and report the results as events.
   */
  checksHealthOnRequest: boolean
  /** Which limits of a container have an effect. */
  limits: EngineLimits
  /** Bytes. Undefined if the engine does not say. */
  memory: number | undefined
}

export interface EngineLimits {
  memory: boolean
  swap: boolean
  processes: boolean
  cpus: boolean
  cpuset: boolean
}

/** The parts of the responses to `info` and `version` that are used. */
export interface EngineResponses {
  version: {
    Version?: string
    ApiVersion?: string
    Components?: readonly { Name: string; Version: string }[]
  }
  info: {
    Driver?: string
    CgroupVersion?: string
    MemTotal?: number
    MemoryLimit?: boolean
    SwapLimit?: boolean
    PidsLimit?: boolean
    CpuCfsQuota?: boolean
    CPUSet?: boolean
    SecurityOptions?: readonly string[] | null
    Plugins?: { Log?: readonly string[] | null }
  }
  /** The response to the same question in Podman's own API. Undefined if the engine does not have it. */
  libpod?: { host?: { networkBackend?: string; security?: { rootless?: boolean } } } | undefined
}

/** Reads the responses of an engine. What it leaves out counts as present, because old engines say less. */
export function capabilitiesOf({ version, info, libpod }: EngineResponses): EngineCapabilities {
  const [engine] = version.Components ?? []
  const options = info.SecurityOptions ?? []
  const isRootless = options.includes('name=rootless') || (libpod?.host?.security?.rootless ?? false)
  return {
    product: engine === undefined || engine.Name === 'Engine' ? 'Docker Engine' : engine.Name,
    version: engine?.Version ?? version.Version ?? 'unknown',
    apiVersion: version.ApiVersion ?? 'unknown',
    isRootless,
    mapsUsers: isRootless || options.includes('name=userns'),
    storageDriver: info.Driver ?? 'unknown',
    cgroupVersion: info.CgroupVersion === undefined ? undefined : Number(info.CgroupVersion),
    logDrivers: info.Plugins?.Log ?? [],
    // The network plugins that Podman used before netavark know no names.
    resolvesNames: libpod?.host?.networkBackend !== 'cni',
    checksHealthOnRequest: libpod !== undefined,
    limits: {
      memory: info.MemoryLimit ?? true,
      swap: info.SwapLimit ?? true,
      processes: info.PidsLimit ?? true,
      cpus: info.CpuCfsQuota ?? true,
      cpuset: info.CPUSet ?? true,
    },
    memory: info.MemTotal || undefined,
  }
}

/**
 * The log driver for the output of jobs. The fastest one that keeps every byte is `local`. An engine without it knows
 * `json-file`, or has a driver of its own under this name.
 */
export function jobLogDriver({ logDrivers }: Pick<EngineCapabilities, 'logDrivers'>): 'local' | 'json-file' {
  return logDrivers.length === 0 || logDrivers.includes('local') ? 'local' : 'json-file'
}
