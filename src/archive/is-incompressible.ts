import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

const SAMPLES = 3
const SAMPLE_BYTES = 4096
/**
 * Relative frequency of two bytes being equal, compared with uniformly distributed bytes: text has 10 and more, a
 * program about 5.
 */
const REPETITION_OF_NOISE = 1.5
const NO_GAIN = 0.97

/**
 * Whether compressing `content` would be useless, for example images, videos and archives. Decides from samples, at a
 * few percent of the cost of compression. Content smaller than the samples is always compressed.
 */
export async function isIncompressible(content: Buffer): Promise<boolean> {
  if (content.length <= 2 * SAMPLES * SAMPLE_BYTES) return false
  const sample = sampleOf(content)
  if (repetitionOf(sample) > REPETITION_OF_NOISE) return false
  const packed = await deflate(sample, { level: 1 })
  return packed.length > sample.length * NO_GAIN
}

/** Samples from the beginning, the middle and the end. */
function sampleOf(content: Buffer): Buffer {
  const step = Math.floor((content.length - SAMPLE_BYTES) / (SAMPLES - 1))
  const starts = Array.from({ length: SAMPLES }, (_, index) => index * step)
  return Buffer.concat(starts.map((start) => content.subarray(start, start + SAMPLE_BYTES)))
}

function repetitionOf(sample: Buffer): number {
  const counts = new Uint32Array(256)
  for (const byte of sample) counts[byte]!++
  const pairs = counts.reduce((sum, count) => sum + count * (count - 1), 0)
  return (256 * pairs) / (sample.length * (sample.length - 1))
}
