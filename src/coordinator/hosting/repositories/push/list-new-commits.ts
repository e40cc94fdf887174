import { gitRecordBatches } from '../../../../git/stream-git.js'
import type { PushRuleRow } from '../../push-rule-store.js'
import type { NewCommit } from './commit-rules.js'

/** A repository in which git finds the commits of a push, and their IDs, which may also be those of tags. */
export interface NewCommits {
  gitDir: string
  ids: readonly string[]
  /** A folder of objects that are not part of the repository yet, as soon as it is known. Must not reject. */
  quarantine?: Promise<string> | undefined
  signal: AbortSignal
}

/** The commits that no branch or tag has yet. Git reads the IDs of the commits from its input. */
const NEW = ['--stdin', '--not', '--branches', '--tags']

/** If the commit is a merge, these are the files that differ from those of all parents. */
const CHANGED_FILES = ['-c', '--raw', '--no-abbrev', '--no-renames', '--root']

/** Prints nothing before it has many responses, or its input ends. */
const CAT_FILE = ['cat-file', '--buffer']

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
export async function* listNewCommits(found: NewCommits, hasFiles: boolean): AsyncGenerator<NewCommit[]> {
  const args = ['log', '-z', '--no-mailmap', '--pretty=raw', ...(hasFiles ? CHANGED_FILES : []), ...NEW]
  const parser = new CommitParser()
  for await (const records of recordsOf(found, args, [found.ids])) yield parser.parse(records)
  yield parser.end()
}

/** An object that git has, with its size in bytes. */
export interface GitObject {
  size: number
  type: string
}

/** Sizes and types of the objects with these names, many at a time. Throws if git has no such object. */
export async function* objectsNamed(
  found: Omit<NewCommits, 'ids'>,
  names: AsyncIterable<readonly string[]>,
): AsyncGenerator<GitObject[]> {
  const args = [...CAT_FILE, '--batch-check=%(objectsize) %(objecttype)']
  for await (const lines of recordsOf(found, args, names, '\n')) yield lines.map(parseObject)
}

/** All objects of the new commits, many at a time. */
export async function* listNewObjects(found: NewCommits): AsyncGenerator<(GitObject & { id: string })[]> {
  const list = ['rev-list', '--objects', '--no-object-names', ...NEW]
  const names = recordsOf(found, list, [found.ids], '\n')
  const args = [...CAT_FILE, '--batch-check=%(objectsize) %(objecttype) %(objectname)']
  for await (const lines of recordsOf(found, args, names, '\n'))
    yield lines.map((line) => ({ ...parseObject(line), id: line.slice(line.lastIndexOf(' ') + 1) }))
}

/** The output of git for these lines of input. Git is started at once, so that it is ready when the quarantine is known. */
function recordsOf(
  { gitDir, quarantine, signal }: Omit<NewCommits, 'ids'>,
  args: readonly string[],
  batches: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
  separator: '\0' | '\n' = '\0',
): AsyncGenerator<string[]> {
  return gitRecordBatches(['--git-dir', gitDir, ...args], {
    input: linesInBatches(batches, quarantine),
    inputVariable: quarantine && 'GIT_ALTERNATE_OBJECT_DIRECTORIES',
    // Otherwise git log writes each commit by itself, which takes both sides longer.
    environment: { GIT_FLUSH: '0' },
    signal,
    separator,
  })
}

function parseObject(line: string): GitObject {
  const [size = '', type = ''] = line.split(' ', 2)
  if (!/^\d+$/.test(size)) throw new Error(`Git has no object '${line}'`)
  return { size: Number(size), type }
}

function linesOf(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('')
}

async function* linesInBatches(
  batches: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
  quarantine: Promise<string> | undefined,
): AsyncGenerator<string> {
  if (quarantine) yield `${quoted(await quarantine)}\n`
  for await (const names of batches) if (names.length > 0) yield linesOf(names)
}

/** A path as git reads it in a list of paths. */
export function quoted(path: string): string {
  return `"${path.replaceAll(/[\\"]/g, String.raw`\$&`)}"`
}

/*
 * The records are a commit, and then a description and a path for each file that it changes. All lines of a commit have
 * an end, behind which an ordinary commit has the first description. This runs for every commit and file of a push, so it
 * avoids regular expressions, which take five times as long.
 */
class CommitParser {
  private commit: NewCommit | undefined
  private change: FileChange | undefined

  /** The commits that are complete with these records. */
  parse(records: readonly string[]): NewCommit[] {
    const complete: NewCommit[] = []
    for (const record of records) {
      const before = this.take(record)
      if (before) complete.push(before)
    }
    return complete
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
      const end = record.lastIndexOf('\n') + 1
      this.commit = parseCommit(record.slice(0, end))
      this.change = end < record.length ? parseChange(record.slice(end)) : undefined
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
    authorEmail: emailIn(headers, '\nauthor '),
    committerEmail: emailIn(headers, '\ncommitter '),
    isSigned: headers.includes('\ngpgsig ') || headers.includes('\ngpgsig-sha256 '),
    message: end < 0 ? '' : withoutBlankLines(record.slice(end).replaceAll('\n    ', '\n')),
    addedFiles: [],
    blobs: [],
  }
}

/** Lines of headers that begin with a space continue the line before. */
function emailIn(headers: string, header: string): string {
  const start = headers.indexOf(header)
  if (start < 0) return ''
  const [line = ''] = headers.slice(start + header.length).split('\n', 1)
  const [open, close] = [line.indexOf('<'), line.indexOf('>', line.indexOf('<'))]
  return open < 0 || close < 0 ? '' : line.slice(open + 1, close)
}

/** Without those at the start and the end. */
function withoutBlankLines(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === '\n') start++
  while (end > start && text[end - 1] === '\n') end--
  return text.slice(start, end)
}

interface FileChange {
  isAdded: boolean
  /** Undefined for a deleted file or a submodule. */
  blob: string | undefined
}

/** `:<mode> … <ID> … <letters>`: one mode and ID for each parent, one for the commit, and one letter for each parent. */
function parseChange(description: string): FileChange {
  const parents = description.lastIndexOf(':') + 1
  const mode = parents + parents * '100644 '.length
  const letters = description.lastIndexOf(' ') + 1
  const blob = description.lastIndexOf(' ', letters - 2) + 1
  const isFile = description[mode] === '1' && '02'.includes(description[mode + 1] ?? '-')
  return {
    isAdded: letters + parents === description.length && isOnly('A', description, letters),
    blob: isFile ? description.slice(blob, letters - 1) : undefined,
  }
}

function isOnly(letter: string, text: string, start: number): boolean {
  for (let at = start; at < text.length; at++) if (text[at] !== letter) return false
  return true
}
