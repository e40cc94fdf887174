import type { S3Settings } from './s3-settings.js'

/** The address of an object, or of the bucket, for a request. */
export interface ObjectAddress {
  origin: string
  hostname: string
  /** Includes the port, unless it is the default one. */
  host: string
  protocol: string
  /** Each component is encoded once, which is the form that is signed. */
  path: string
}

const AMAZON = 's3.amazonaws.com'
const DEFAULT_REGION = 'us-east-1'

export function regionOf({ bucketLocation }: Pick<S3Settings, 'bucketLocation'>): string {
  return bucketLocation ?? DEFAULT_REGION
}

/** `name` is the name of the object; empty for the bucket. */
export function objectAddress(settings: S3Settings, name: string): ObjectAddress {
  const protocol = settings.isInsecure ? 'http:' : 'https:'
  const server = serverOf(settings)
  const isInPath = usesPathStyle(settings, server)
  const host = isInPath ? server : `${settings.bucketName}.${server}`
  const { origin, hostname } = new URL(`${protocol}//${host}`)
  const components = [...(isInPath ? [settings.bucketName] : []), ...(name === '' ? [] : name.split('/'))]
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

/** Whether the region determines the host. An explicit address of a region or service is used as it is. */
function isAmazon({ serverAddress }: S3Settings): boolean {
  return serverAddress === undefined || serverAddress === AMAZON
}

/**
 * Amazon expects the bucket in the host name, other services expect it in the path. A bucket name with a dot would
 * not match a TLS certificate.
 */
function usesPathStyle({ pathStyle, bucketName, isInsecure }: S3Settings, server: string): boolean {
  if (pathStyle !== undefined) return pathStyle
  return !isAmazonHost(server) || (!isInsecure && bucketName.includes('.'))
}

/** Whether a host, with or without a port, is one of Amazon. */
export function isAmazonHost(host: string): boolean {
  return /(^|\.)amazonaws\.com(\.cn)?(:\d+)?$/.test(host)
}

/** Percent-encodes everything except unreserved characters, as signatures require. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
