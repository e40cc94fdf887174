interface DraftCommit {
  title: string
  short_id: string
  author_name: string
  parent_ids?: readonly string[]
}

/**
 * Release notes from the titles of commits, as Markdown.
 * @param commits the newest first; merges are left out
 */
export function notesDraft(commits: readonly DraftCommit[]): string {
  const lines = commits
    .filter(({ parent_ids: parents = [] }) => parents.length < 2)
    .map(({ title, short_id: sha }) => `- ${title} (${sha})`)
  return ['## What is new', '', ...(lines.length > 0 ? lines : ['- Nothing but merges.']), ''].join('\n')
}

/** The newest release before one, in a list with the newest first. Undefined for the first release. */
export function releaseBefore<R extends { tag_name: string }>(
  releases: readonly R[],
  tag: string,
): R | undefined {
  const index = releases.findIndex(({ tag_name: name }) => name === tag)
  return index === -1 ? releases[0] : releases[index + 1]
}

/** The tag of the latest release that is not in the future, in a list with the newest first. */
export function latestTag(
  releases: readonly { tag_name: string; upcoming_release: boolean }[],
): string | undefined {
  return releases.find(({ upcoming_release: isUpcoming }) => !isUpcoming)?.tag_name
}
