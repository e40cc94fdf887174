import type { Reader } from './reader.js'

const PROVIDERS = ['google_cloud']

/** The cloud provider in which the job authenticates without a stored secret (CI language, 3.1). */
export const readIdentity: Reader<string> = (value, place) => {
  if (typeof value !== 'string') return place.refuse('should be a string')
  return PROVIDERS.includes(value) ? value : place.refuse(`should be one of: ${PROVIDERS.join(', ')}`)
}
