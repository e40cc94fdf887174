import type { Reader } from './reader.js'

export const IDENTITY_PROVIDERS = ['google_cloud']

/** The cloud provider in which the job authenticates without a stored secret (CI language, 3.1). */
export const readIdentity: Reader<string> = (value, location) => {
  if (typeof value !== 'string') return location.refuse('should be a string')
  return IDENTITY_PROVIDERS.includes(value)
    ? value
    : location
        .suggesting({ words: [value], among: IDENTITY_PROVIDERS })
        .refuse(`should be one of: ${IDENTITY_PROVIDERS.join(', ')}`)
}
