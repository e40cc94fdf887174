import type { V1Container, V1HostAlias, V1Probe, V1VolumeMount } from '@kubernetes/client-node'

import { globMatcher } from '../../../../lib/glob.js'
import type { JobLog } from '../../../trace/job-log.js'
import { serviceName } from '../../docker/services/plan-services.js'
import type { ServiceRequest } from '../../executor.js'
import { isHostName } from '../host-name.js'
import type { KubernetesExecutorSettings } from '../settings.js'
import { containerEnv, literal } from './container-text.js'
import { type ChosenImages, imageUse } from './image-uses.js'
import { refusal } from './overwrites.js'
import { SERVICE_PREFIX } from './pod-plan.js'
import { resourcesFor } from './pod-resources.js'
import { jobSecurity, withUser } from './pod-security.js'

interface ServiceContext {
  settings: KubernetesExecutorSettings
  /** The variables of the job. */
  values: ReadonlyMap<string, string>
  mounts: V1VolumeMount[]
  images: ChosenImages
  log: Pick<JobLog, 'plain' | 'warning'>
}

/** The container of the service with this position. */
export function serviceContainerName(index: number): string {
  return `${SERVICE_PREFIX}${index}`
}

/**
 * The containers of the services of a job. Their own variables may set their requests and limits. Throws an `ExecutorError`
 * for an image that is not allowed.
 */
export function serviceContainers(
  requests: readonly ServiceRequest[],
  context: ServiceContext,
): V1Container[] {
  for (const request of requests) refuseDisallowed(request, context.settings.allowedServices ?? [])
  return requests.map((request, index) => serviceContainer(request, serviceContainerName(index), context))
}

function serviceContainer(request: ServiceRequest, name: string, context: ServiceContext): V1Container {
  const { settings, values, mounts, images, log } = context
  const ownValues = new Map([...values, ...Object.entries(request.environment)])
  return {
    name,
    ...imageUse(images, { container: name, image: request.name, asked: request.pullPolicy }),
    command: request.entrypoint?.map(literal),
    args: request.command?.map(literal),
    env: containerEnv(request.environment, `service ${request.name}`, log),
    resources: resourcesFor('service', settings.resources, ownValues, log),
    volumeMounts: mounts,
    securityContext: withUser(
      jobSecurity(settings, settings.serviceSecurityContext),
      request.user,
      `service ${request.name}`,
      settings,
      log,
    ),
    lifecycle: settings.containerLifecycle,
    readinessProbe: readinessProbe(request),
  }
}

/** The cluster does not tell the ports of an image, so that a job names the one to wait for. */
function readinessProbe({ environment }: ServiceRequest): V1Probe | undefined {
  const port = Number(environment['HEALTHCHECK_TCP_PORT'])
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined
  return { tcpSocket: { port }, periodSeconds: 1 }
}

function refuseDisallowed({ name, isConfigured }: ServiceRequest, allowed: readonly string[]): void {
  if (isConfigured || allowed.length === 0 || allowed.some((pattern) => globMatcher(pattern)(name))) return
  const list = allowed.map((pattern) => `"${pattern}"`).join(', ')
  throw refusal(`The runner does not allow the service "${name}"; allowed: ${list} (allowed_services)`)
}

/**
 * The host names in a pod: services, which share its network, then those of the settings. Throws an `ExecutorError` for an
 * alias that is no host name. Names derived from images are left out if they are none, as by the reference runner.
 */
export function hostAliases(
  requests: readonly ServiceRequest[],
  configured: readonly V1HostAlias[],
): V1HostAlias[] | undefined {
  const names = requests.flatMap((request) => {
    const wrong = request.aliases.find((alias) => !isHostName(alias))
    if (wrong !== undefined) {
      throw refusal(
        `The alias "${wrong}" of the service "${request.name}" is no host name: use lower-case letters, digits, dashes and dots`,
      )
    }
    return [...serviceName(request.name).aliases.filter(isHostName), ...request.aliases]
  })
  const own = names.length > 0 ? [{ ip: '127.0.0.1', hostnames: [...new Set(names)] }] : []
  const all = [...own, ...configured]
  return all.length > 0 ? all : undefined
}
