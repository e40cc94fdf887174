import { engineWords, isNotFound } from '../engine.js'

/**
 * Does `work` with an image that `find` gives. An image that somebody removed in between is found again, and so pulled
 * again, once.
 */
export async function withImage<Image, Result>(
  find: () => Promise<Image>,
  work: (image: Image) => Promise<Result>,
): Promise<{ image: Image; result: Result }> {
  const image = await find()
  try {
    return { image, result: await work(image) }
  } catch (error) {
    if (!isImageGone(error)) throw error
    const again = await find()
    return { image: again, result: await work(again) }
  }
}

/** The engine says so of the creation of a container. */
export function isImageGone(error: unknown): boolean {
  return isNotFound(error) && /no such image/i.test(engineWords(error))
}
