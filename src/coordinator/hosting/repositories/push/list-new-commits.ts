import { gitRecordBatches } from '../../../../git/stream-git.js'
import type { PushRuleRow } from '../../push-rule-store.js'
import type { NewCommit } from './commit-rules.js'

/** A repository in which git finds the commits of a push, and their IDs, which may also be those of tags. */
export interface NewCommits {
  gitDir: string
  ids: readonly string[]
  /** Variables with which git finds objects that are not part of the repository yet. */
  environment?: Record<string, string>
  signal: AbortSignal
}

/** The commits that no branch or tag has yet. Git reads the IDs of the commits from its input. */
const NEW = ['--stdin', '--not', '--branches', '--tags']

/** For a merge, the files that differ from those of all parents. */
const CHANGED_FILES = ['-c', '--raw', '--no-abbrev', '--no-renames', '--root']

const BATCH_CHECK = ['cat-file', '--batch-check=%(objecttype) %(objectsize) %(objectname)']

/** Whether a rule needs the files of commits, without which git lists them three times as fast. */
export function needsFiles({ prevent_secrets, file_name_regex, max_file_size }: PushRuleRow): boolean {
  return prevent_secrets || Boolean(file_name_regex) || max_file_size > 0
}

/** Whether a rule needs the new commits at all. */
export function needsCommits(rule: PushRuleRow): boolean {
  const { commit_message_regex, commit_message_negative_regex, author_email_regex } = rule
  return (
    needsFiles(rule) ||
    rule.member_check ||
    rule.commit_committer_check ||
    rule.reject_unsigned_commits ||
    [commit_message_regex, commit_message_negative_regex, author_email_regex].some(Boolean)
  )
}

/** Reads the new commits, newest first, many at a time. Throws `GitError` if git does not know them. */
export async function* listNewCommits(
  { gitDir, ids, ...options }: NewCommits,
  hasFiles: boolean,
): AsyncGenerator<NewCommit[]> {
  const args = ['--git-dir', gitDir, 'log', '-z', '--pretty=raw', ...(hasFiles ? CHANGED_FILES : []), ...NEW]
  const parser = new CommitParser()
  for await (const records of gitRecordBatches(args, { ...options, input: linesOf(ids) }))
    yield parser.parse(records)
  yield parser.end()
}

/** An object that git has, with its size in bytes. */
export interface GitObject {
  type: string
  size: number
  id: string
}

/** All objects of the new commits, many at a time. */
export async function* listNewObjects(found: NewCommits): AsyncGenerator<GitObject[]> {
  const { gitDir, ids, ...options } = found
  const args = ['--git-dir', gitDir, 'rev-list', '--objects', '--no-object-names', ...NEW]
  yield* objectsNamed(found, gitRecordBatches(args, { ...options, input: linesOf(ids), separator: '\n' }))
}

/** The objects with these names. Throws if git has no such object. */
export async function* objectsNamed(
  { gitDir, environment, signal }: Omit<NewCommits, 'ids'>,
  names: AsyncIterable<readonly string[]>,
): AsyncGenerator<GitObject[]> {
  const input = linesInBatches(names)
  const options = { ...(environment && { environment }), signal, input, separator: '\n' as const }
  for await (const lines of gitRecordBatches(['--git-dir', gitDir, ...BATCH_CHECK], options))
    yield lines.map(parseObject)
}

function parseObject(line: string): GitObject {
  const [type = '', size = '', id] = line.split(' ')
  if (id === undefined) throw new Error(`Git has no object '${line}'`)
  return { type, size: Number(size), id }
}

function linesOf(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('')
}

async function* linesInBatches(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const names of batches) if (names.length > 0) yield linesOf(names)
}

/*
 * The records are a commit, and then a description and a path for each file that it changes. The first description of
 * an ordinary commit is the last line of the commit itself; lines of the message are indented.
 */
class CommitParser {
  private commit: NewCommit | undefined
  private change: FileChange | undefined

  /** The commits that are complete with these records. */
  parse(records: readonly string[]): NewCommit[] {
    return records.flatMap((record) => this.take(record) ?? [])
  }

  /** The last commit. */
  end(): NewCommit[] {
    return this.commit ? [this.commit] : []
  }

  private take(record: string): NewCommit | undefined {
    if (this.commit && this.change) {
      if (this.change.isAdded) this.commit.addedFiles.push(record)
      if (this.change.blob) this.commit.blobs.push(this.change.blob)
      this.change = undefined
    } else if (record.startsWith('commit ')) {
      const before = this.commit
      const last = record.lastIndexOf('\n:')
      this.commit = parseCommit(last < 0 ? record : record.slice(0, last))
      this.change = last < 0 ? undefined : parseChange(record.slice(last + 1))
      return before
    } else if (record.startsWith(':')) this.change = parseChange(record)
    return undefined
  }
}

function parseCommit(record: string): NewCommit {
  const end = record.indexOf('\n\n')
  const headers = end < 0 ? record : record.slice(0, end)
  return {
    id: headers.slice('commit '.length, 'commit '.length + 40),
    authorEmail: emailIn(headers, 'author'),
    committerEmail: emailIn(headers, 'committer'),
    isSigned: /\ngpgsig(-sha256)? /.test(headers),
    message:
      end < 0
        ? ''
        : record
            .slice(end)
            .replaceAll(/\n {4}/g, '\n')
            .replaceAll(/^\n+|\n+$/g, ''),
    addedFiles: [],
    blobs: [],
  }
}

/** Lines of headers that begin with a space continue the line before. */
function emailIn(headers: string, who: 'author' | 'committer'): string {
  return new RegExp(`^${who} [^<\\n]*<([^>\\n]*)>`, 'm').exec(headers)?.[1] ?? ''
}

interface FileChange {
  isAdded: boolean
  /** Undefined for a deleted file or a submodule. */
  blob: string | undefined
}

/** `:<mode> … <ID> … <letters>`: one mode and ID for each parent, one for the commit, and one letter for each parent. */
function parseChange(description: string): FileChange {
  const fields = description.split(' ')
  const parents = description.lastIndexOf(':') + 1
  const [mode = '', blob = ''] = [fields[parents], fields[2 * parents + 1]]
  return { isAdded: /^A+$/.test(fields.at(-1) ?? ''), blob: /^1[02]/.test(mode) ? blob : undefined }
}
