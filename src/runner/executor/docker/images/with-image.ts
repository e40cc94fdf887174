import { engineWords, isNotFound } from '../engine.js'

/**
 * Runs `work` with the image that `find` returns. If the image was removed in the meantime, finds it again once,
 * which pulls it again.
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

/** The engine reports this when it creates a container. */
function isImageGone(error: unknown): boolean {
  return isNotFound(error) && /no such image/i.test(engineWords(error))
}
