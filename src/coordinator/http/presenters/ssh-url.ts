/**
 * The address of a project for git over SSH, by which clients know a repository. It is a text in every record, because
 * receivers of hooks refuse a null; git itself is served over HTTP only.
 */
export function sshUrl(fullPath: string, externalUrl: string): string {
  return `git@${new URL(externalUrl).hostname}:${fullPath}.git`
}
