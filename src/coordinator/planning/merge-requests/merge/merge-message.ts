/** Values of the placeholders of commit templates. */
export interface MessageFacts {
  sourceBranch: string
  targetBranch: string
  title: string
  description: string
  /** `group/project!5` */
  reference: string
  /** `!5` */
  localReference: string
  url: string
  /** References of the issues that the merge closes: `#3`, or `group/project#3`. */
  issues: string[]
  /** `Name <email>` */
  author: string
  mergedBy: string
  reviewedBy: string[]
  approvedBy: string[]
  /** Authors of the commits other than the one of the squash commit. */
  coAuthors: string[]
  /** Messages of the commits, oldest first. */
  commits: string[]
}

const MERGE_TEMPLATE = `Merge branch '%{source_branch}' into '%{target_branch}'

%{title}

See merge request %{reference}`

const SQUASH_TEMPLATE = '%{title}'

/** Maximum number of commits that `%{all_commits}` lists. */
const MAX_COMMITS = 100

/** Message of a merge commit, from the template of the project or the default (API, F4). */
export function mergeMessage(template: string | null, facts: MessageFacts): string {
  return filled(template ?? MERGE_TEMPLATE, facts)
}

/** Message of a squash commit, from the template of the project or the default (API, F4). */
export function squashMessage(template: string | null, facts: MessageFacts): string {
  return filled(template ?? SQUASH_TEMPLATE, facts)
}

const PLACEHOLDERS: Record<string, (facts: MessageFacts) => string> = {
  source_branch: ({ sourceBranch }) => sourceBranch,
  target_branch: ({ targetBranch }) => targetBranch,
  title: ({ title }) => title,
  description: ({ description }) => description,
  reference: ({ reference }) => reference,
  local_reference: ({ localReference }) => localReference,
  url: ({ url }) => url,
  issues: ({ issues }) => (issues.length === 0 ? '' : `Closes ${joined(issues)}`),
  merge_request_author: ({ author }) => author,
  merged_by: ({ mergedBy }) => mergedBy,
  reviewed_by: ({ reviewedBy }) => trailers('Reviewed-by', reviewedBy),
  approved_by: ({ approvedBy }) => trailers('Approved-by', approvedBy),
  co_authored_by: ({ coAuthors }) => trailers('Co-authored-by', coAuthors),
  first_commit: ({ commits: [first = ''] }) => first.trim(),
  first_multiline_commit: ({ commits, title }) => firstWithBody(commits) ?? title,
  first_multiline_commit_description: ({ commits }) => bodyOf(firstWithBody(commits) ?? ''),
  all_commits: ({ commits }) => listed(commits),
}

const PLACEHOLDER = /%\{([a-z_]+)\}/g

/**
 * Unknown placeholders are kept. A line that consists of empty placeholders is left out, and so is the empty line
 * before it if an empty line follows.
 */
function filled(template: string, facts: MessageFacts): string {
  const lines: string[] = []
  let isAfterGap = false
  for (const line of template.replaceAll('\r\n', '\n').split('\n')) {
    const text = line.replace(PLACEHOLDER, (all, name: string) => PLACEHOLDERS[name]?.(facts) ?? all)
    if (text === '' && line !== '') {
      isAfterGap = true
      continue
    }
    if (isAfterGap && text === '' && lines.at(-1) === '') lines.pop()
    isAfterGap = false
    lines.push(text)
  }
  return lines.join('\n').trim()
}

/** `#1, #2, and #3` */
function joined(names: string[]): string {
  if (names.length <= 2) return names.join(' and ')
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
}

function trailers(key: string, people: string[]): string {
  return people.map((person) => `${key}: ${person}`).join('\n')
}

function firstWithBody(commits: string[]): string | undefined {
  return commits.map((message) => message.trim()).find((message) => message.includes('\n'))
}

function bodyOf(message: string): string {
  return message.split('\n').slice(1).join('\n').trim()
}

/** The messages as a list, newest first. */
function listed(commits: string[]): string {
  const shown = commits.slice(-MAX_COMMITS).toReversed()
  const items = shown.map((message) => `* ${message.trim().replaceAll('\n', '\n  ')}`)
  const rest = commits.length - shown.length
  return [...(rest > 0 ? [`${rest} commits are not listed`] : []), ...items].join('\n\n')
}
