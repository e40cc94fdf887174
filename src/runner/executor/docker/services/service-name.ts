/** What the name of a service's image says (runner protocol, 7.8). */
export interface ServiceName {
  /** The reference without port, tag and digest. */
  service: string
  version: string
  /** `postgres:15`; a digest follows its name without a colon. */
  title: string
  /** Host names that need not be written. */
  aliases: string[]
}

export function serviceName(image: string): ServiceName {
  const { name, version } = splitVersion(image)
  const service = name.replace(/^([^/]+):\d+\//, '$1/')
  return {
    service,
    version,
    title: version.startsWith('@') ? `${service}${version}` : `${service}:${version}`,
    aliases: [...new Set([service.replaceAll('/', '__'), service.replaceAll('/', '-')])],
  }
}

function splitVersion(image: string): { name: string; version: string } {
  const digest = image.indexOf('@')
  if (digest >= 0) return { name: withoutTag(image.slice(0, digest)), version: image.slice(digest) }
  const name = withoutTag(image)
  return { name, version: image.slice(name.length + 1) || 'latest' }
}

/** The colon of a port is followed by a slash, that of a tag is not. */
function withoutTag(image: string): string {
  return image.replace(/:[^/:]*$/, '')
}
