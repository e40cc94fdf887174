import type Docker from 'dockerode'

import { isNotFound, statusOf } from '../executor/docker/engine.js'
import type { CleanupItem, CleanupTarget } from './cleanup-target.js'
import type { LruIndex } from './lru-index.js'

const CONFLICT = 409

export interface EngineTargetParts {
  docker: Docker
  diskId: string | undefined
  index: LruIndex
}

/** Images that this runner pulled. Images that someone else has tagged since then are excluded. */
export function imageTarget({ docker, diskId, index }: EngineTargetParts): CleanupTarget {
  return {
    list: async () => {
      const [images, containers] = await Promise.all([
        docker.listImages(),
        docker.listContainers({ all: true }),
      ])
      const used = new Set(containers.map(({ ImageID }) => ImageID))
      const known = new Map(images.map((image) => [image.Id, image]))
      return index.pulledImages.flatMap(({ id, names, usedAt }): CleanupItem[] => {
        const image = known.get(id)
        if (!image) index.deleteImage(id)
        if (!image || !isOurs(tagsOf(image.RepoTags), names)) return []
        return [
          {
            kind: 'image',
            name: names[0] ?? id,
            bytes: image.Size,
            lastUsed: usedAt,
            isInUse: used.has(id),
            diskId,
            remove: () => removeImage({ docker, index }, id, names),
          },
        ]
      })
    },
  }
}

/** Removes without force, so that the engine refuses to remove an image that a container uses. */
async function removeImage(
  { docker, index }: Pick<EngineTargetParts, 'docker' | 'index'>,
  id: string,
  names: string[],
): Promise<boolean> {
  try {
    const tags = tagsOf((await docker.getImage(id).inspect()).RepoTags)
    if (!isOurs(tags, names)) return false
    for (const name of tags.length > 1 ? tags : [id]) await docker.getImage(name).remove()
  } catch (error) {
    if (statusOf(error) === CONFLICT) return false
    if (!isNotFound(error)) throw error
  }
  index.deleteImage(id)
  return true
}

/** Tags that the runner did not pull belong to someone else. */
function isOurs(tags: string[], names: string[]): boolean {
  return tags.every((tag) => names.includes(tag))
}

/** The engine lists `<none>:<none>` for an image without tags. */
function tagsOf(tags: string[] | null | undefined): string[] {
  return (tags ?? []).filter((tag) => tag !== '<none>:<none>')
}
