import { allRecords, bytes, type Reading } from './reading.js'

/** One changed file. */
export interface FileDiff {
  /** Diff from the first `@@` on; empty for binary files and for diffs that are too large. */
  diff: string
  newPath: string
  oldPath: string
  /** Six octal digits; `0` if there is no file on this side. */
  oldMode: string
  newMode: string
  isNew: boolean
  isRenamed: boolean
  isDeleted: boolean
  isTooLarge: boolean
}

/** Maximum size of the diff of one file, in bytes. */
const MAX_PATCH_BYTES = 200 * 1024
/** Maximum number of files in a diff, and maximum total size in bytes. */
const MAX_FILES = 3000
const MAX_BYTES = 16 * 1024 * 1024

/** `from` undefined compares with the empty tree, for the first commit of a history. */
export interface Difference {
  from: string | undefined
  to: string
  /** Whether to keep the header of each patch (`--- a/x`, `+++ b/x`). */
  isUnified?: boolean
  /** Only these files; by default all. */
  paths?: readonly string[]
  /** Number of unchanged lines around each change; 3 by default. */
  context?: number
}

/**
 * Changed files in the order of their paths, with rename detection. `isCut` tells whether files are missing
 * because of the limits.
 */
export async function diffOf(
  reading: Reading,
  { from, to, isUnified, paths, context = 3 }: Difference,
): Promise<{ files: FileDiff[]; isCut: boolean }> {
  const trees = from === undefined ? ['--root', to] : [from, to]
  const format = ['--no-commit-id', '--full-index', '-z', '--raw', '-p', `-U${context}`]
  const args = ['diff-tree', '-r', '-M', ...format, ...trees, ...(paths ? ['--', ...paths] : [])]
  const parser = new DiffParser(isUnified ?? false)
  for await (const chunk of bytes(reading, args)) {
    parser.push(chunk)
    if (parser.isFull) break
  }
  return parser.end()
}

/**
 * One page of the changed files in the order of their paths, with the number of all. Only the files of the page are
 * compared, so that a page of a large difference costs little more than its list of names.
 */
export async function diffPageOf(
  reading: Reading,
  difference: Difference,
  { offset, perPage }: { offset: number; perPage: number },
): Promise<{ files: FileDiff[]; total: number }> {
  const names = await changedNames(reading, difference)
  const wanted = names.slice(offset, offset + perPage)
  if (wanted.length === 0) return { files: [], total: names.length }
  const { files } = await diffOf(reading, { ...difference, paths: [...new Set(wanted.flat())] })
  // A path is also that of a folder in whose place it was or is.
  const isWanted = ({ oldPath, newPath }: FileDiff) =>
    wanted.some(([before, after]) => before === oldPath && after === newPath)
  return { files: files.filter(isWanted), total: names.length }
}

/** Both paths of each changed file. */
async function changedNames(reading: Reading, { from, to }: Difference): Promise<[string, string][]> {
  const trees = from === undefined ? ['--root', to] : [from, to]
  const fields = await allRecords(reading, [
    'diff-tree',
    '-r',
    '-M',
    '--no-commit-id',
    '-z',
    '--name-status',
    ...trees,
  ])
  const names: [string, string][] = []
  for (let at = 0; at < fields.length;) {
    const [status = '', before = '', after = ''] = fields.slice(at, at + 3)
    const isRenamed = /^[RC]/.test(status)
    names.push([before, isRenamed ? after : before])
    at += isRenamed ? 3 : 2
  }
  return names
}

/**
 * Parses the output of `git diff-tree --raw -p -z`: the list of files, an empty record, and the patches in
 * the same order.
 */
class DiffParser {
  private readonly files: FileDiff[] = []
  /** Number of patches per file: two if a file is replaced by an entry of another type. */
  private readonly patchCounts: number[] = []
  private readonly patches: string[] = []
  /** Input that is not parsed yet. */
  private rest: Buffer = Buffer.alloc(0)
  private isInList = true
  private hasMoreFiles = false
  /** Number of patches of the shown files. */
  private wantedPatches = 0
  private lines: string[] = []
  private lineBytes = 0
  private bytes = 0

  constructor(private readonly isUnified: boolean) {}

  get isFull(): boolean {
    return this.bytes > MAX_BYTES || this.patches.length > this.wantedPatches
  }

  push(chunk: Buffer): void {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    if (this.isInList) this.readList()
    if (!this.isInList) this.readPatches()
  }

  end(): { files: FileDiff[]; isCut: boolean } {
    if (!this.isInList && this.rest.length > 0) this.takeLine(this.rest)
    this.endPatch()
    let next = 0
    const files = this.files.map((file, index) => {
      const own = this.patches.slice(next, (next += this.patchCounts[index] ?? 1))
      return withPatches(file, own)
    })
    return { files, isCut: this.hasMoreFiles || this.isFull }
  }

  /** `:<old mode> <new mode> <old id> <new id> <status>` and one path, or two for a rename. */
  private readList(): void {
    for (;;) {
      const fields = this.fieldsOfEntry()
      if (!fields) return
      if (fields === 'end') {
        this.isInList = false
        return
      }
      if (this.files.length >= MAX_FILES) {
        this.hasMoreFiles = true
        continue
      }
      this.files.push(fileOf(fields))
      const patches = fields[0]?.endsWith(' T') ? 2 : 1
      this.patchCounts.push(patches)
      this.wantedPatches += patches
    }
  }

  private fieldsOfEntry(): string[] | 'end' | undefined {
    if (this.rest.length === 0) return undefined
    if (this.rest[0] === 0) {
      this.rest = this.rest.subarray(1)
      return 'end'
    }
    const head = this.rest.indexOf(0)
    if (head < 0) return undefined
    const hasTwoPaths = /[RC]\d*$/.test(this.rest.toString('latin1', 0, head))
    let end = this.rest.indexOf(0, head + 1)
    if (end >= 0 && hasTwoPaths) end = this.rest.indexOf(0, end + 1)
    if (end < 0) return undefined
    const fields = this.rest.toString('utf8', 0, end).split('\0')
    this.rest = this.rest.subarray(end + 1)
    return fields
  }

  private readPatches(): void {
    for (let end = this.rest.indexOf('\n'); end >= 0; end = this.rest.indexOf('\n')) {
      this.takeLine(this.rest.subarray(0, end + 1))
      this.rest = this.rest.subarray(end + 1)
    }
    // A line of this length makes the diff too large, so the rest of it is dropped.
    if (this.rest.length > 4 * MAX_PATCH_BYTES) this.rest = this.rest.subarray(0, MAX_PATCH_BYTES)
  }

  private takeLine(line: Buffer): void {
    if (line.toString('latin1', 0, 11) === 'diff --git ') this.endPatch()
    this.lineBytes += line.length
    if (this.lineBytes <= MAX_PATCH_BYTES) this.lines.push(line.toString('utf8'))
    else this.lines.length = 0
  }

  private endPatch(): void {
    if (this.lineBytes === 0) return
    this.patches.push(this.lineBytes > MAX_PATCH_BYTES ? TOO_LARGE : patchHeader(this.lines, this.isUnified))
    this.bytes += Math.min(this.lineBytes, MAX_PATCH_BYTES)
    this.lines = []
    this.lineBytes = 0
  }
}

/** No patch begins with NUL. */
const TOO_LARGE = '\0'

function patchHeader(lines: string[], isUnified: boolean): string {
  const at = lines.findIndex((line) => line.startsWith('@@'))
  if (at < 0) return ''
  return lines.slice(isUnified ? Math.max(0, at - 2) : at).join('')
}

function fileOf([about = '', oldPath = '', newPath = oldPath]: string[]): FileDiff {
  const [oldMode = '', newMode = '', , , status = ''] = about.slice(1).split(' ')
  return {
    diff: '',
    oldPath,
    newPath,
    oldMode: shortZero(oldMode),
    newMode: shortZero(newMode),
    isNew: status === 'A',
    isDeleted: status === 'D',
    isRenamed: status.startsWith('R'),
    isTooLarge: false,
  }
}

function shortZero(mode: string): string {
  return mode === '000000' ? '0' : mode
}

function withPatches(file: FileDiff, patches: string[]): FileDiff {
  const diff = patches.filter((patch) => patch !== TOO_LARGE).join('')
  return { ...file, diff, isTooLarge: patches.includes(TOO_LARGE) }
}
