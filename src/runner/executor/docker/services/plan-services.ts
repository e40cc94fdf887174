import { globMatcher } from '../../../../lib/glob.js'
import { ExecutorError, type ServiceRequest } from '../../executor.js'
import type { ServiceSettings } from './settings.js'

/** A service to be started, with names that no other service has. */
export interface PlannedService {
  request: ServiceRequest
  name: ServiceName
  aliases: string[]
  /** Position in the list of the job, for names. */
  index: number
  isPrivileged: boolean
}

type PlanSettings = Pick<
  ServiceSettings,
  'servicesLimit' | 'allowedServices' | 'servicesPrivileged' | 'allowedPrivilegedServices'
> & { privileged?: boolean | undefined }

/**
 * Which services of a job are started, in order, and the warnings for its log (runner protocol, 7.2 and 7.8).
 * Throws an `ExecutorError` for too many services and for images that are not allowed.
 */
export function planServices(
  requests: ServiceRequest[],
  settings: PlanSettings,
): { services: PlannedService[]; warnings: string[] } {
  refuseTooMany(requests.length, settings.servicesLimit)
  for (const request of requests) refuseDisallowed(request, settings.allowedServices ?? [])
  const taken = new Set<string>()
  const warnings: string[] = []
  const services = requests.flatMap((request, index): PlannedService[] => {
    const name = serviceName(request.name)
    const wanted = [...new Set([...name.aliases, ...request.aliases])]
    const aliases = wanted.filter((alias) => !taken.has(alias))
    for (const alias of wanted.filter((each) => taken.has(each))) {
      warnings.push(`Service ${name.title}: the alias "${alias}" belongs to an earlier service, skipping it`)
    }
    if (aliases.length === 0) {
      warnings.push(`Service ${name.title} is not started: all of its aliases belong to earlier services`)
      return []
    }
    for (const alias of aliases) taken.add(alias)
    return [{ request, name, aliases, index, isPrivileged: isPrivileged(request.name, settings) }]
  })
  return { services, warnings }
}

function refuseTooMany(count: number, limit: number | undefined): void {
  if (limit === undefined || limit < 0 || count <= limit) return
  const message = `too many services requested: ${count}, only ${limit} allowed`
  throw new ExecutorError(message, 'runner_configuration_error')
}

function refuseDisallowed({ name, isConfigured }: ServiceRequest, allowed: string[]): void {
  if (isConfigured || allowed.length === 0 || matchesAny(name, allowed)) return
  const list = allowed.map((pattern) => `"${pattern}"`).join(', ')
  throw new ExecutorError(
    `The runner does not allow the service "${name}"; allowed: ${list}`,
    'runner_configuration_error',
  )
}

function isPrivileged(image: string, settings: PlanSettings): boolean {
  const isWanted = settings.servicesPrivileged ?? settings.privileged ?? false
  const allowed = settings.allowedPrivilegedServices ?? []
  return isWanted && (allowed.length === 0 || matchesAny(image, allowed))
}

function matchesAny(image: string, patterns: string[]): boolean {
  return patterns.some((pattern) => globMatcher(pattern)(image))
}

/** Names derived from the image of a service (runner protocol, 7.8). */
interface ServiceName {
  /** The reference without port, tag and digest. */
  service: string
  version: string
  /** For example `postgres:15`. A digest is appended without a colon. */
  title: string
  /** Host names that apply without an explicit alias. */
  aliases: string[]
}

export function serviceName(image: string): ServiceName {
  const { name, version } = splitVersion(image)
  const service = name.replace(/^([^/]+):\d+\//, '$1/')
  return {
    service,
    version,
    title: version.startsWith('@') ? `${service}${version}` : `${service}:${version}`,
    aliases: [...new Set([service.replaceAll('/', '__'), service.replaceAll('/', '-')])],
  }
}

function splitVersion(image: string): { name: string; version: string } {
  const digest = image.indexOf('@')
  if (digest >= 0) return { name: withoutTag(image.slice(0, digest)), version: image.slice(digest) }
  const name = withoutTag(image)
  return { name, version: image.slice(name.length + 1) || 'latest' }
}

/** A slash follows the colon of a port, but not that of a tag. */
function withoutTag(image: string): string {
  return image.replace(/:[^/:]*$/, '')
}
