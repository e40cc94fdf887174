/** The kind and the short name of a branch or tag, which schedules store with its full name. */
export function refName(ref: string): { name: string; isTag: boolean } {
  return { name: ref.replace(/^refs\/(?:heads|tags)\//, ''), isTag: ref.startsWith('refs/tags/') }
}
