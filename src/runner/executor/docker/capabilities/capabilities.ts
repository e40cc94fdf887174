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

interface EngineLimits {
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
  libpod?: { host?: LibpodHost } | undefined
}

interface LibpodHost {
  networkBackend?: string
  security?: { rootless?: boolean }
  /** Without root, those that the system has delegated to the user of the engine. */
  cgroupControllers?: readonly string[] | null
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
    limits: limitsOf(info, isRootless ? delegatedControllers(info, libpod) : undefined),
    memory: info.MemTotal || undefined,
  }
}

/** Podman reports the limits of the system as its own, also without root. */
function delegatedControllers(
  { CgroupVersion: version }: EngineResponses['info'],
  libpod: EngineResponses['libpod'],
): readonly string[] | undefined {
  if (version === '1') return []
  return libpod && (libpod.host?.cgroupControllers ?? [])
}

/** `controllers`: those that the engine has. Undefined if it has all, or says itself which limits work. */
function limitsOf(info: EngineResponses['info'], controllers: readonly string[] | undefined): EngineLimits {
  const has = (name: string) => controllers?.includes(name) ?? true
  return {
    memory: has('memory') && (info.MemoryLimit ?? true),
    swap: has('memory') && (info.SwapLimit ?? true),
    processes: has('pids') && (info.PidsLimit ?? true),
    cpus: has('cpu') && (info.CpuCfsQuota ?? true),
    cpuset: has('cpuset') && (info.CPUSet ?? true),
  }
}

/**
 * The log driver for the output of jobs. The fastest one that keeps every byte is `local`. An engine without it knows
 * `json-file`, or has a driver of its own under this name.
 */
export function jobLogDriver({ logDrivers }: Pick<EngineCapabilities, 'logDrivers'>): 'local' | 'json-file' {
  return logDrivers.length === 0 || logDrivers.includes('local') ? 'local' : 'json-file'
}
