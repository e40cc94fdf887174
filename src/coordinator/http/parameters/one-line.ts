/**
 * Names and addresses that must be one line for every operation, because lists, logs, mails and headers show
 * one per line.
 */
const NAMES = new Set([
  'name',
  'title',
  'username',
  'email',
  'author_name',
  'author_email',
  'commit_email',
  'public_email',
  'branch',
  'ref',
  'tag_name',
  'start_branch',
  'default_branch',
  'environment',
  'stage',
  'context',
  'job_title',
  'organization',
  'location',
  'pronouns',
  'tag_list',
  'topics',
  'provider',
  'extern_uid',
  'url',
  'import_url',
  'external_url',
  'target_url',
  'link_url',
  'image_url',
  'website_url',
  'filepath',
])

/** Whether the parameter is one of these, by the last part of `tag_list[0]` or `assets[links][0][name]` that is no index. */
export function isName(parameter: string): boolean {
  const last = /(\w+)\]?(\[\d+\])*$/.exec(parameter)?.[1] ?? ''
  return NAMES.has(last)
}

/**
 * Maximum characters of a text whose schema sets no limit: SQLite cannot search for a text above 50,000
 * bytes.
 */
export function longestOf(parameter: string): number {
  return parameter === 'search' ? MAX_SEARCH_LENGTH : Infinity
}

const MAX_SEARCH_LENGTH = 1024

/** Whether the text has no control character, and so no line end. */
export function isOneLine(text: string): boolean {
  return !/\p{Cc}/u.test(text)
}
