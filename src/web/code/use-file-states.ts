import { useMemo, useState } from 'preact/hooks'

import { useAction } from '../api/use-action.js'
import { notifyError } from '../frame/notices.js'
import type { DiffFile, FileState } from './diff-files.js'
import { STEP } from './diff-row.js'
import type { Opened } from './diff-rows.js'
import { readFile } from './read-file.js'
import { linesOf } from './text-lines.js'
import type { ViewedMarks } from './viewed-files.js'

/** Files with more changed lines are folded at first. */
const MAX_LINES = 1000

/** What is folded, opened and viewed of changed files; a file is named by its index. */
export interface FileStates {
  states: readonly FileState[]
  allFolded: boolean
  fold: (file: number, isFolded: boolean) => void
  foldAll: (isFolded: boolean) => void
  /** Shows unchanged lines at one end of a gap between changes, or all lines of the file. */
  open: (file: number, gap: number | 'all', end: string) => void
  /** Hides the unchanged lines again. */
  closeGaps: () => void
  isViewed: (file: number) => boolean
  viewedCount: number
  view: (file: number, isViewed: boolean) => void
}

/** What a reader has changed of a file; the rest follows from the file and its mark. */
type ChangedState = Partial<FileState>

const NOTHING_OPENED: FileState['opened'] = new Map()

/**
 * @param files more may follow, at the end
 * @param head the commit, branch or tag after the change
 */
export function useFileStates(
  files: readonly DiffFile[],
  project: string,
  head: string,
  { digests, mark }: ViewedMarks,
): FileStates {
  const [changed, setChanged] = useState<ReadonlyMap<number, ChangedState>>(new Map())
  const states = useMemo(
    () =>
      files.map((file, index): FileState => ({
        isFolded: digests.has(file.digest) || isFoldedAtFirst(file),
        opened: NOTHING_OPENED,
        lines: undefined,
        ...changed.get(index),
      })),
    [files, digests, changed],
  )
  const change = (file: number, changes: (state: ChangedState) => ChangedState) =>
    setChanged((before) => {
      const state = before.get(file) ?? {}
      return new Map(before).set(file, { ...state, ...changes(state) })
    })
  const changeAll = (changes: ChangedState) =>
    setChanged((before) => new Map(files.map((_, index) => [index, { ...before.get(index), ...changes }])))
  const open = useAction(async (file: number, gap: number | 'all', end: string) => {
    const of = files[file]
    if (!of) return
    const lines =
      states[file]?.lines ??
      linesOf((await readFile(project, head, of.entry.new_path, new AbortController().signal)).text)
    change(file, ({ opened }) => {
      const gaps =
        gap === 'all' ? Array.from({ length: of.parsed.hunks.length + 1 }, (_, index) => index) : [gap]
      const next = new Map(opened)
      for (const index of gaps) next.set(index, widened(next.get(index), end))
      return { lines, opened: next, isFolded: false }
    })
  }, notifyError)
  const fold = (file: number, isFolded: boolean) => change(file, () => ({ isFolded }))
  const isViewed = (file: number) => digests.has(files[file]?.digest ?? '')
  return {
    states,
    allFolded: states.every(({ isFolded }) => isFolded),
    fold,
    foldAll: (isFolded) => changeAll({ isFolded }),
    open: (file, gap, end) => void open.run(file, gap, end),
    closeGaps: () => changeAll({ opened: NOTHING_OPENED }),
    isViewed,
    viewedCount: files.filter(({ digest }) => digests.has(digest)).length,
    view: (file, value) => {
      mark(files[file]?.digest ?? '', value)
      fold(file, value)
    },
  }
}

/** Large files, and those that a program has written. */
function isFoldedAtFirst({ entry, parsed }: DiffFile): boolean {
  return entry.generated_file || parsed.added + parsed.removed > MAX_LINES
}

function widened(before: Opened = { top: 0, bottom: 0 }, end: string): Opened {
  if (end === 'top') return { ...before, top: before.top + STEP }
  if (end === 'bottom') return { ...before, bottom: before.bottom + STEP }
  return { top: Number.MAX_SAFE_INTEGER, bottom: 0 }
}
