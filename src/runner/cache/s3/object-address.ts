import type { CacheAddress } from '../cache-store.js'
import type { S3Settings } from './s3-settings.js'

/** Where an object is, ready to be asked for. */
export interface ObjectAddress {
  origin: string
  hostname: string
  /** With the port, when it is not the usual one. */
  host: string
  protocol: string
  /** Each component encoded once, which is what the signature is made over. */
  path: string
}

const AMAZON = 's3.amazonaws.com'
const DEFAULT_REGION = 'us-east-1'

export interface ObjectPlace {
  /** `[runners.cache] Path`. */
  prefix: string
  /** Short token of the runner; undefined when all runners share what is in the bucket. */
  runner: string | undefined
  /** `FF_HASH_CACHE_KEYS` adds a folder of two characters. */
  isHashed: boolean
}

/**
 * The object's name is that of the reference runner (runner protocol, 8) for jobs of unprotected refs, so that
 * the two may share a bucket. Jobs of protected refs use `project/<id>-protected/`, which no key of another job can lead
 * to: the reference runner tells the two apart by the end of the key, and a cache that it wrote for an unprotected ref
 * must not be unpacked for a protected one because of a key's text.
 */
export function objectName({ projectId, isProtected, key }: CacheAddress, place: ObjectPlace): string {
  return [
    ...place.prefix.split('/'),
    ...(place.runner === undefined ? [] : ['runner', place.runner]),
    'project',
    `${projectId}${isProtected ? '-protected' : ''}`,
    ...(place.isHashed ? [key.slice(0, 2)] : []),
    key,
  ]
    .filter((component) => component !== '')
    .join('/')
}

export function regionOf({ bucketLocation }: Pick<S3Settings, 'bucketLocation'>): string {
  return bucketLocation ?? DEFAULT_REGION
}

export function objectAddress(settings: S3Settings, name: string): ObjectAddress {
  const protocol = settings.isInsecure ? 'http:' : 'https:'
  const server = serverOf(settings)
  const isInPath = usesPathStyle(settings, server)
  const host = isInPath ? server : `${settings.bucketName}.${server}`
  const { origin, hostname } = new URL(`${protocol}//${host}`)
  const components = [...(isInPath ? [settings.bucketName] : []), ...name.split('/')]
  return {
    origin,
    hostname,
    host: new URL(origin).host,
    protocol,
    path: `/${components.map(encode).join('/')}`,
  }
}

function serverOf(settings: S3Settings): string {
  if (!isAmazon(settings)) return settings.serverAddress ?? AMAZON
  if (settings.isAccelerated) return 's3-accelerate.amazonaws.com'
  return `s3.${settings.isDualStack ? 'dualstack.' : ''}${regionOf(settings)}.amazonaws.com`
}

/** An address of one region or service is taken at its word. */
function isAmazon({ serverAddress }: S3Settings): boolean {
  return serverAddress === undefined || serverAddress === AMAZON
}

/** Amazon wants the bucket in the host name, others in the path; a dot in its name would not fit a certificate. */
function usesPathStyle({ pathStyle, bucketName, isInsecure }: S3Settings, server: string): boolean {
  if (pathStyle !== undefined) return pathStyle
  const isAtAmazon = /(^|\.)amazonaws\.com(\.cn)?(:\d+)?$/.test(server)
  return !isAtAmazon || (!isInsecure && bucketName.includes('.'))
}

/** As signatures want it: everything but unreserved characters. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
