import type { ListedTestCase } from '../../../../coordinator/ci/pipelines/test-case-schema.js'
import type { DiffEntry } from '../../../code/diff-files.js'
import type { LinePosition } from '../../../code/line-positions.js'
import { parseDiff } from '../../../code/parse-diff.js'

export type FailedCase = Pick<
  ListedTestCase,
  'digest' | 'name' | 'suite' | 'job_id' | 'file' | 'system_output'
>

export interface FailedLine {
  position: LinePosition
  test: FailedCase
}

type Entry = Pick<DiffEntry, 'new_path' | 'diff'>

/** A path with a line as programs print it: `src/a.ts:12`, `a.py", line 12`, `A.java(12)`. */
const LOCATION = /([\w@+][\w./@+-]{0,250}\.\w{1,10})(?::|\(|", line )(\d{1,7})/g
/** Of an output, only its beginning is searched. */
const MAX_CHARACTERS = 16_384
/** Locations of an output that are compared. */
const MAX_LOCATIONS = 200

/**
 * Where failed tests are shown in the changes: at the first line of the changes that the output of a test names, else at the
 * first line of its file. Tests that name nothing of the changes are left out.
 */
export function failedLines(tests: readonly FailedCase[], entries: readonly Entry[]): FailedLine[] {
  const shown = entries.map((entry) => new ShownFile(entry))
  return tests.flatMap((test) => {
    const position = namedLine(test, shown) ?? ownFile(test, shown)
    return position ? [{ position, test }] : []
  })
}

class ShownFile {
  private known: readonly number[] | undefined

  constructor(private readonly entry: Entry) {}

  get path(): string {
    return this.entry.new_path
  }

  /** Numbers of its lines after the change, as far as the diff has them. Parsed for files that a test names. */
  get lines(): readonly number[] {
    this.known ??= parseDiff(this.entry.diff).hunks.flatMap(({ lines }) =>
      lines.flatMap((line) => line.new ?? []),
    )
    return this.known
  }
}

function namedLine(
  { system_output: output }: FailedCase,
  files: readonly ShownFile[],
): LinePosition | undefined {
  let count = 0
  for (const [, named = '', number] of (output ?? '').slice(0, MAX_CHARACTERS).matchAll(LOCATION)) {
    count += 1
    if (count > MAX_LOCATIONS) return undefined
    const line = Number(number)
    const file = files.find((one) => isNamed(one.path, named) && one.lines.includes(line))
    if (file) return { path: file.path, line, side: 'new' }
  }
  return undefined
}

function ownFile({ file: named }: FailedCase, files: readonly ShownFile[]): LinePosition | undefined {
  const file =
    named === null ? undefined : files.find(({ path }) => isNamed(path, named.replace(/^\.\//, '')))
  const [line] = file?.lines ?? []
  return file && line !== undefined ? { path: file.path, line, side: 'new' } : undefined
}

/** A program may print the path from another folder than that of the repository, above or inside it. */
function isNamed(path: string, named: string): boolean {
  return named === path || named.endsWith(`/${path}`) || (named.includes('/') && path.endsWith(`/${named}`))
}
