import { isNotFound, statusOf } from '../executor/docker/engine.js'
import type { CleanupItem, CleanupTarget } from './cleanup-target.js'
import type { EngineTargetParts } from './image-target.js'

const CONFLICT = 409
const PREFIX = 'com.gitlab.gitlab-runner.'

interface VolumeUsage {
  Name: string
  CreatedAt?: string
  Labels: Record<string, string> | null
  UsageData: { Size: number; RefCount: number } | null
}

/** Cache volumes of the runner with this system ID (runner protocol, 7.10), of all its registrations. */
export function volumeTarget({ docker, diskId, index }: EngineTargetParts, systemId: string): CleanupTarget {
  return {
    list: async () => {
      const { Volumes: volumes } = (await docker.df()) as { Volumes: VolumeUsage[] | null }
      return (volumes ?? []).filter((volume) => isOwnCache(volume, systemId)).map(describe)
    },
  }

  function describe({ Name: name, CreatedAt: created, UsageData: usage }: VolumeUsage): CleanupItem {
    return {
      kind: 'volume',
      name,
      bytes: Math.max(0, usage?.Size ?? 0),
      lastUsed: index.lastUse('volumes', name) ?? (Date.parse(created ?? '') || 0),
      isInUse: (usage?.RefCount ?? 1) !== 0,
      diskId,
      remove: async () => {
        try {
          await docker.getVolume(name).remove()
        } catch (error) {
          if (statusOf(error) === CONFLICT) return false
          if (!isNotFound(error)) throw error
        }
        index.delete('volumes', name)
        return true
      },
    }
  }
}

function isOwnCache({ Labels: labels }: VolumeUsage, systemId: string): boolean {
  const label = (key: string) => labels?.[PREFIX + key]
  return label('managed') === 'true' && label('type') === 'cache' && label('runner.system_id') === systemId
}
