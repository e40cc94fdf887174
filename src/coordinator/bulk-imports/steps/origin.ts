import type { EntityRun } from '../run.js'
import type { SourcePerson } from '../source/records.js'

/**
 * The line above a text whose author has no account here, or for whom the importer cannot vouch. Names are in code spans, in
 * which nothing is a mention or a link.
 */
function originLine(
  { bulkImport }: Pick<EntityRun, 'bulkImport'>,
  author: SourcePerson | null | undefined,
): string {
  if (!author) return `*Created at ${bulkImport.source_url}.*\n\n`
  const { name, username } = author
  return `*Created by \`${literal(name ?? username)}\` (\`${literal(username)}\`) at ${bulkImport.source_url}.*\n\n`
}

/** Without what would end a code span or a paragraph. */
function literal(name: string): string {
  return name.replaceAll(/[`\s]+/g, ' ').trim() || '-'
}

/** A text, below the line about its origin unless its author is known. */
export function withOrigin(
  run: Pick<EntityRun, 'bulkImport'>,
  text: string | null | undefined,
  author: SourcePerson | null | undefined,
  authors: ReadonlyMap<string, number>,
): string {
  const line = author && authors.has(author.username) ? '' : originLine(run, author)
  return `${line}${text ?? ''}`
}
