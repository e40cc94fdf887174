const REFERENCE = /^(?:([\w.-]+(?:\/[\w.-]+)+))?#?(\d{1,15})$/
const ADDRESS = /^https?:\/\/[^/]+\/(.+?)\/(?:-\/)?issues\/(\d{1,15})(?:[?#].*)?$/

/** The issue that a text names: `12`, `#12`, `group/app#12`, or the address of its page. */
export function parseIssueReference(
  text: string,
  project: string,
): { project: string; iid: number } | undefined {
  const [, path = project, iid] = ADDRESS.exec(text.trim()) ?? REFERENCE.exec(text.trim()) ?? []
  return iid === undefined ? undefined : { project: path, iid: Number(iid) }
}
