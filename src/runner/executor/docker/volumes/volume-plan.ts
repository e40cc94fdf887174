import { createHash } from 'node:crypto'
import { posix } from 'node:path'

import type { MountSettings } from 'dockerode'

import { ExecutorError } from '../../errors.js'
import type { ContainerPlace, ExecutorJob } from '../../executor.js'
import { cacheVolumeLabels } from '../containers/labels.js'
import type { DockerExecutorSettings } from '../settings.js'
import { isRoot } from './volume-entry.js'

/**
 * A place in the container whose files outlive its container, or not (runner protocol, 7.4). `source` is the name of a
 * volume, or a directory of the engine's host; absent for a volume that goes with the container.
 */
export interface CachePlace {
  containerPath: string
  source: string | undefined
}

interface VolumePlan {
  job: ExecutorJob
  settings: DockerExecutorSettings
  place: Pick<ContainerPlace, 'workingDirectory'>
}

/** What goes to the engine as `host:container:mode`. */
export function binds(plan: VolumePlan): string[] {
  const { settings } = plan
  const configured = (settings.volumes ?? []).flatMap((volume) => {
    if (volume.kind === 'cache') return []
    return [[volume.source, pathInContainer(volume.containerPath, plan), volume.mode]]
  })
  const kept = settings.cacheDir
    ? cachePlaces(plan).flatMap(({ source, containerPath }) => (source ? [[source, containerPath]] : []))
    : []
  return [...configured, ...kept].map((parts) => parts.filter((part) => part !== undefined).join(':'))
}

/** Volumes that the engine makes when it has none of the name. */
export function cacheMounts(plan: VolumePlan): MountSettings[] {
  const { job, settings } = plan
  return cachePlaces(plan)
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
 * Where the entries of a container path alone lie. Jobs that run at the same time, other projects, and jobs of refs
 * that are not protected each have places of their own (architecture, decision 11).
 */
export function cachePlaces(plan: VolumePlan): CachePlace[] {
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

/** Variables expanded; relative to the project directory (runner protocol, 7.4). */
function pathInContainer(configured: string, { job, place }: VolumePlan): string {
  const path = posix.resolve(place.workingDirectory, job.expand?.(configured) ?? configured)
  if (!isRoot(path)) return path.replace(/(.)\/$/, '$1')
  const message = `The volume "${configured}" of the runner would be mounted at "/"; correct its "volumes" setting`
  throw new ExecutorError(message, 'runner_configuration_error')
}
