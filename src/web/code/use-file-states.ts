import { useState } from 'preact/hooks'

import { useAction } from '../api/use-action.js'
import { notifyError } from '../frame/notices.js'
import type { DiffFile, FileState } from './diff-files.js'
import { STEP } from './diff-row.js'
import type { Opened } from './diff-rows.js'
import { readFile } from './read-file.js'
import { linesOf } from './text-lines.js'
import { readViewed, writeViewed } from './viewed-files.js'

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
  view: (file: number, isViewed: boolean) => void
}

/** @param head the commit, branch or tag after the change */
export function useFileStates(files: readonly DiffFile[], project: string, head: string): FileStates {
  const [viewed, setViewed] = useState(readViewed)
  const [states, setStates] = useState<readonly FileState[]>(() =>
    files.map(({ digest, parsed }) => ({
      isFolded: viewed.has(digest) || parsed.added + parsed.removed > MAX_LINES,
      opened: new Map(),
      lines: undefined,
    })),
  )
  const change = (file: number, changes: (state: FileState) => Partial<FileState>) =>
    setStates((before) =>
      before.map((state, index) => (index === file ? { ...state, ...changes(state) } : state)),
    )
  const changeAll = (changes: Partial<FileState>) =>
    setStates(states.map((state) => ({ ...state, ...changes })))
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
      for (const index of gaps) next.set(index, widened(opened.get(index), end))
      return { lines, opened: next, isFolded: false }
    })
  }, notifyError)
  const fold = (file: number, isFolded: boolean) => change(file, () => ({ isFolded }))
  return {
    states,
    allFolded: states.every(({ isFolded }) => isFolded),
    fold,
    foldAll: (isFolded) => changeAll({ isFolded }),
    open: (file, gap, end) => void open.run(file, gap, end),
    closeGaps: () => changeAll({ opened: new Map() }),
    isViewed: (file) => viewed.has(files[file]?.digest ?? ''),
    view: (file, isViewed) => {
      const digest = files[file]?.digest ?? ''
      const next = new Set(viewed)
      if (isViewed) next.add(digest)
      else next.delete(digest)
      writeViewed(next)
      setViewed(next)
      fold(file, isViewed)
    },
  }
}

function widened(before: Opened = { top: 0, bottom: 0 }, end: string): Opened {
  if (end === 'top') return { ...before, top: before.top + STEP }
  if (end === 'bottom') return { ...before, bottom: before.bottom + STEP }
  return { top: Number.MAX_SAFE_INTEGER, bottom: 0 }
}
