import type Docker from 'dockerode'

/** Receives which objects of the engine jobs use, for disk cleanup. */
export interface UsageObserver {
  /** `wasThere`: whether the engine already had the image, under any name. */
  imagePulled(id: string, name: string, wasThere: boolean): void
  imageUsed(id: string): void
  volumeUsed(name: string): void
}

/** Runs a pull of the image and determines what it added. */
export type PullWatch = (image: string, pull: () => Promise<void>) => Promise<void>

/** Reports pulls to `observer`. Without one, sends no additional requests to the engine. */
export function watchPulls(docker: Docker, observer: UsageObserver | undefined): PullWatch {
  if (!observer) return (_image, pull) => pull()
  return async (image, pull) => {
    const before = new Set((await docker.listImages({ all: true })).map(({ Id }) => Id))
    await pull()
    const { Id: id } = await docker.getImage(image).inspect()
    observer.imagePulled(id, image, before.has(id))
  }
}
