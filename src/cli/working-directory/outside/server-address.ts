import { isIP } from 'node:net'

/**
 * The server of a git remote: `https://host/` for `https://host/group/project.git`, `git@host:group/project.git` and
 * `ssh://git@host:22/…`. Undefined for a remote that is no server, such as a folder.
 */
export function serverOfRemote(remote: string | undefined): URL | undefined {
  const web = /^(https?:\/\/)(?:[^/@]*@)?([^/]+)\//i.exec(remote ?? '')
  if (web) return new URL(`${web[1]}${web[2]}/`)
  const ssh = /^(?:(?:git\+)?ssh:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/|[^/:@]+@([^/:]+):)/i.exec(remote ?? '')
  const host = ssh?.[1] ?? ssh?.[2]
  return host !== undefined && URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`) : undefined
}

/** The password or token that the user has put into the URL of the remote. */
export function passwordOfRemote(remote: string | undefined): string | undefined {
  const written = /^https?:\/\/[^/@:]*:([^/@]+)@/i.exec(remote ?? '')?.[1]
  try {
    return written === undefined ? undefined : decodeURIComponent(written)
  } catch (error) {
    if (error instanceof URIError) return written
    throw error
  }
}

/** Whether a token may be sent to the server: encrypted, or within this machine. */
export function isSafeForTokens({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return (
    protocol === 'https:' ||
    host === 'localhost' ||
    host === '::1' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  )
}
