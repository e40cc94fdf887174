/** The format that the engine expects. */
export interface DeviceMapping {
  PathOnHost: string
  PathInContainer: string
  CgroupPermissions: string
}

/** The format that the engine expects. */
export interface GpuRequest {
  Driver: string
  /** -1 means all. */
  Count: number
  DeviceIDs: string[]
  /** One of the inner lists must match completely. */
  Capabilities: string[][]
  Options: Record<string, string>
}

const PERMISSIONS = /^[rwm]{1,3}$/

/** Parses `host[:container][:permissions]`, the format of the engine's command line (runner protocol, 9.4). */
export function parseDevice(text: string): DeviceMapping | undefined {
  const [host = '', second, third, ...rest] = text.split(':')
  if (!host.startsWith('/') || rest.length > 0) return undefined
  const isSecondAPath = second !== undefined && second.startsWith('/')
  const permissions = third ?? (isSecondAPath ? undefined : second) ?? 'rwm'
  if (!PERMISSIONS.test(permissions) || (third !== undefined && !isSecondAPath)) return undefined
  const inContainer = isSecondAPath ? second : host
  return { PathOnHost: host, PathInContainer: inContainer, CgroupPermissions: permissions }
}

/**
 * Parses `all`, `2`, `"device=0,1"` or `all,capabilities=utility`, the format of the engine's `--gpus` (runner
 * protocol, 9.4).
 */
export function parseGpus(text: string): GpuRequest | undefined {
  const request: GpuRequest = { Driver: '', Count: 0, DeviceIDs: [], Capabilities: [['gpu']], Options: {} }
  // `device=0,1` is also accepted without quotes. Any other list needs them.
  const fields = /^device=[\w.,:-]+$/.test(text) ? [text] : csvFields(text)
  if (fields.length === 0 || !fields.every((field) => readGpuField(request, field))) return undefined
  if (request.DeviceIDs.length > 0) return request.Count === 0 ? request : undefined
  return { ...request, Count: request.Count || 1 }
}

function readGpuField(request: GpuRequest, field: string): boolean {
  const [key, value] = field.includes('=') ? splitOnce(field) : ['count', field]
  if (value === '') return false
  if (key === 'count') request.Count = value === 'all' ? -1 : Number(value)
  else if (key === 'device') request.DeviceIDs = value.split(',')
  else if (key === 'driver') request.Driver = value
  else if (key === 'capabilities') request.Capabilities = [['gpu', ...value.split(',')]]
  else return false
  return Number.isInteger(request.Count) && request.Count >= -1
}

function splitOnce(field: string): [string, string] {
  const at = field.indexOf('=')
  return [field.slice(0, at), field.slice(at + 1)]
}

function csvFields(text: string): string[] {
  return Array.from(text.matchAll(/"([^"]*)"|([^,"]+)/g), ([, quoted, plain]) =>
    (quoted ?? plain ?? '').trim(),
  )
}
