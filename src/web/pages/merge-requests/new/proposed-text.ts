interface Commit {
  title: string
  message: string
}

/**
 * The title and the description that commits propose: of a single commit, its message; of several, the name of the branch
 * in words, `12-fix-the-parser` as `Fix the parser`.
 */
export function proposedText(
  branch: string,
  commits: readonly Commit[],
): Record<'title' | 'description', string> {
  const [only, ...others] = commits
  if (only && others.length === 0)
    return { title: only.title, description: only.message.slice(only.title.length).trim() }
  return { title: inWords(branch), description: '' }
}

function inWords(branch: string): string {
  const words = branch
    .slice(branch.lastIndexOf('/') + 1)
    .replace(/^\d+-/, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return words === '' ? branch : words.charAt(0).toUpperCase() + words.slice(1)
}
