import { normalize } from 'node:path/posix'

import type { V1Pod } from '@kubernetes/client-node'

import type { ExecutorJob } from '../../executor.js'
import type { HelperPlaces } from '../../helper-places.js'
import type { Volume, VolumeMount } from '../api-types.js'
import type { ConfiguredVolume } from '../pod-settings.js'
import { refusal } from './overwrites.js'

/** The name that the reference runner gives the volume with the project directories. */
const REPO = 'repo'
const CONTROL = 'switchyard-control'
const GIT = 'switchyard-git'
const OWN = 'switchyard-own'

interface PodVolumes {
  volumes: Volume[]
  /** By the containers that have them. */
  build: VolumeMount[]
  helper: VolumeMount[]
  services: VolumeMount[]
}

/**
 * The volumes of a pod. The project directories are in an `emptyDir`, unless the settings mount a volume there. Throws an
 * `ExecutorError` for a mount of the settings that would hide directories of the runner.
 */
export function podVolumes(
  job: Pick<ExecutorJob, 'expand'>,
  configured: readonly ConfiguredVolume[],
  places: HelperPlaces,
): PodVolumes {
  const expand = (text: string) => job.expand?.(text) ?? text
  const expanded = configured.map((volume) => expandVolume(volume, expand))
  const own = ownPlaces(places)
  for (const { mount } of expanded) refuseHidden(mount, own)
  const isBuildsMounted = expanded.some(({ mount }) => mount.mountPath === places.builds)
  const shared = [
    ...expanded.map(({ mount }) => mount),
    ...(isBuildsMounted ? [] : [{ name: REPO, mountPath: places.builds }]),
  ]
  const names = [...(isBuildsMounted ? [] : [REPO]), CONTROL, GIT, OWN]
  refuseTaken(expanded, names)
  const control = { name: CONTROL, mountPath: places.control }
  const git = { name: GIT, mountPath: places.git }
  return {
    volumes: [
      ...names.map((name) => ({ name, emptyDir: {} })),
      ...new Map(expanded.map(({ volume }) => [volume.name, volume])).values(),
    ],
    // The helper runs git in its own directory, so that the job must not change it.
    build: [...shared, control, { ...git, readOnly: true }],
    helper: [...shared, control, git, { name: OWN, mountPath: places.own }],
    services: shared,
  }
}

/** Whether the project directories of a pod are in a volume that outlives it. */
export function areBuildsKept({ spec }: V1Pod, { builds }: Pick<HelperPlaces, 'builds'>): boolean {
  const mounts = spec?.containers.flatMap(({ volumeMounts = [] }) => volumeMounts) ?? []
  const mount = mounts.find(({ mountPath }) => mountPath === builds)
  const volume = spec?.volumes?.find(({ name }) => name === mount?.name)
  return volume !== undefined && volume.emptyDir === undefined
}

function expandVolume(
  { volume, mount }: ConfiguredVolume,
  expand: (text: string) => string,
): ConfiguredVolume {
  const name = volumeName(expand(volume.name))
  const claim = volume.persistentVolumeClaim
  return {
    volume: {
      ...volume,
      name,
      ...(claim ? { persistentVolumeClaim: { ...claim, claimName: expand(claim.claimName) } } : {}),
    },
    mount: {
      ...mount,
      name,
      mountPath: mountPathOf(expand(mount.mountPath)),
      subPath: mount.subPath === undefined ? undefined : expand(mount.subPath),
    },
  }
}

/** Names of claims and secrets may have dots, those of volumes not. */
function volumeName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63)
    .replace(/-+$/, '')
}

/** Paths may come from variables of the job. */
function mountPathOf(text: string): string {
  const path = normalize(text).replace(/\/+$/, '')
  if (path.startsWith('/') && !path.includes(':')) return path
  throw refusal(
    `The settings of the runner mount a volume at "${text}", which is not an absolute path in a container`,
  )
}

function ownPlaces({ control, git, own }: HelperPlaces): string[] {
  return [control, git, own]
}

function refuseHidden({ name, mountPath }: VolumeMount, own: readonly string[]): void {
  const hidden = own.find((place) => isSameOrBelow(place, mountPath) || isSameOrBelow(mountPath, place))
  if (hidden === undefined) return
  throw refusal(
    `The settings of the runner mount the volume "${name}" at ${mountPath}, which would hide ${hidden}, a directory of the runner: mount it elsewhere`,
  )
}

function isSameOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}

function refuseTaken(volumes: readonly ConfiguredVolume[], names: readonly string[]): void {
  const taken = volumes.find(({ volume }) => names.includes(volume.name))
  if (taken) {
    throw refusal(
      `The settings of the runner have a volume with the name "${taken.volume.name}", which is that of a volume of the runner: rename it`,
    )
  }
}
