import { once } from 'node:events'

import Docker from 'dockerode'

import { type Image, makeImage } from '../images.js'

/** Copies images of the machine's engine to others, each once. */
export function copyImages(engines: readonly Docker[]): (images: readonly Image[]) => Promise<void> {
  const copied = new Map<Image, Promise<void>>()
  return async (images) => {
    for (const image of images) {
      const copying = copied.get(image) ?? copy(image, engines)
      copied.set(image, copying)
      await copying
    }
  }
}

async function copy(image: Image, engines: readonly Docker[]): Promise<void> {
  await makeImage(image)
  for (const docker of engines) {
    const response = await docker.loadImage(await new Docker().getImage(image).get())
    response.resume()
    await once(response, 'end')
  }
}
