/**
 * The SSH URL of a project, by which clients identify a repository. It is always a text, because webhook
 * receivers refuse null; git itself is served over HTTP only.
 */
export function sshUrl(fullPath: string, externalUrl: string): string {
  return `git@${new URL(externalUrl).hostname}:${fullPath}.git`
}
