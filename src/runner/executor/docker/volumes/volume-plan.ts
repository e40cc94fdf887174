import { createHash } from 'node:crypto'
import { posix } from 'node:path'

import type { MountSettings } from 'dockerode'

import { type ContainerWorkspace, ExecutorError, type ExecutorJob } from '../../executor.js'
import { cacheVolumeLabels } from '../containers/labels.js'
import type { DockerExecutorSettings } from '../settings.js'
import { isRoot } from './volume-entry.js'

/**
 * A path in the container whose files may outlive the container (runner protocol, 7.4). `source` is the name of a
 * volume, or a directory on the engine's host. It is absent for a volume that is removed with the container.
 */
export interface CacheVolume {
  containerPath: string
  source: string | undefined
}

interface VolumePlan {
  job: ExecutorJob
  settings: DockerExecutorSettings
  place: Pick<ContainerWorkspace, 'workingDirectory'>
}

/** Mounts in the engine's format `host:container:mode`. */
export function binds(plan: VolumePlan): string[] {
  const { settings } = plan
  const configured = (settings.volumes ?? []).flatMap((volume) => {
    if (volume.kind === 'cache') return []
    return [[volume.source, pathInContainer(volume.containerPath, plan), volume.mode]]
  })
  const kept = settings.cacheDir
    ? listCacheVolumes(plan).flatMap(({ source, containerPath }) => (source ? [[source, containerPath]] : []))
    : []
  return [...configured, ...kept].map((parts) => parts.filter((part) => part !== undefined).join(':'))
}

/** Volumes that the engine creates if they do not exist. */
export function cacheMounts(plan: VolumePlan): MountSettings[] {
  const { job, settings } = plan
  return listCacheVolumes(plan)
    .filter(({ source }) => source === undefined || !settings.cacheDir)
    .map(({ source = '', containerPath }) => ({
      Type: 'volume',
      Source: source,
      Target: containerPath,
      VolumeOptions: {
        NoCopy: false,
        Labels: cacheVolumeLabels(job, settings, containerPath, source !== ''),
        DriverConfig: { Name: settings.volumeDriver ?? '', Options: settings.volumeDriverOps ?? {} },
      },
    }))
}

/**
 * Storage of entries that are only a container path. Concurrent jobs, different projects, and jobs of unprotected refs
 * have separate locations (architecture, decision 11).
 */
export function listCacheVolumes(plan: VolumePlan): CacheVolume[] {
  const { job, settings } = plan
  return (settings.volumes ?? []).flatMap((volume) => {
    if (volume.kind !== 'cache') return []
    const containerPath = pathInContainer(volume.containerPath, plan)
    return [
      { containerPath, source: settings.disableCache ? undefined : keptSource(containerPath, job, settings) },
    ]
  })
}

function keptSource(containerPath: string, job: ExecutorJob, settings: DockerExecutorSettings): string {
  const trust = job.isProtected ? '-protected' : ''
  const path = createHash('md5').update(containerPath).digest('hex')
  const unique = `runner-${ownerDigest(job, settings)}`
  return settings.cacheDir
    ? posix.join(settings.cacheDir, unique, `${path}${trust}`)
    : `${unique}-cache-${path}${trust}`
}

function ownerDigest(job: ExecutorJob, { runnerShortToken, systemId }: DockerExecutorSettings): string {
  const owner = [runnerShortToken, systemId, job.projectId, job.concurrentProjectId].join('-')
  return createHash('sha256').update(owner).digest('hex').slice(0, 32)
}

/** Expands variables. The path may be relative to the project directory (runner protocol, 7.4). */
function pathInContainer(configured: string, { job, place }: VolumePlan): string {
  const path = posix.resolve(place.workingDirectory, job.expand?.(configured) ?? configured)
  if (!isRoot(path)) return path.replace(/(.)\/$/, '$1')
  const message = `The volume "${configured}" of the runner would be mounted at "/"; correct its "volumes" setting`
  throw new ExecutorError(message, 'runner_configuration_error')
}
