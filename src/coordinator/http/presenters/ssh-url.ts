/** Ports of the SSH servers of this process, by the external URLs of their coordinators. */
const ports = new Map<string, number>()

const DEFAULT_PORT = 22

/** From now on, SSH URLs at this external URL name the port. */
export function useSshPort(externalUrl: string, port: number): void {
  ports.set(externalUrl, port)
}

/**
 * The SSH URL of a project, by which clients identify a repository. It is always a text, because webhook receivers refuse
 * null. Without an SSH server, it cannot be cloned.
 */
export function sshUrl(fullPath: string, externalUrl: string): string {
  const { hostname } = new URL(externalUrl)
  const port = ports.get(externalUrl) ?? DEFAULT_PORT
  return port === DEFAULT_PORT
    ? `git@${hostname}:${fullPath}.git`
    : `ssh://git@${hostname}:${port}/${fullPath}.git`
}
