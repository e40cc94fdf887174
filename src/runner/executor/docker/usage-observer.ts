import type Docker from 'dockerode'

/** Hears what jobs use of the engine, for whoever has to make room on its disk. */
export interface UsageObserver {
  /** `wasThere`: the engine had the image already, under whichever name. */
  imagePulled(id: string, name: string, wasThere: boolean): void
  imageUsed(id: string): void
  volumeUsed(name: string): void
}

/** Runs a pull of the image and looks at what it brought. */
export type PullWatch = (image: string, pull: () => Promise<void>) => Promise<void>

/** Pulls are told to `observer`; nothing more is asked of the engine without one. */
export function watchPulls(docker: Docker, observer: UsageObserver | undefined): PullWatch {
  if (!observer) return (_image, pull) => pull()
  return async (image, pull) => {
    const before = new Set((await docker.listImages({ all: true })).map(({ Id }) => Id))
    await pull()
    const { Id: id } = await docker.getImage(image).inspect()
    observer.imagePulled(id, image, before.has(id))
  }
}
