import { Columns2, Files, FoldVertical, Pilcrow, Rows3, UnfoldVertical } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { useAction } from '../api/use-action.js'
import { notifyError } from '../frame/notices.js'
import { usePreferences } from '../frame/use-preferences.js'
import { Alert } from '../kit/alert.js'
import { Button, IconButton } from '../kit/button.js'
import { formatCount } from '../kit/bytes.js'
import { Empty } from '../kit/empty.js'
import { useKeys } from '../kit/keys.js'
import { Popover } from '../kit/popover.js'
import { Rows, type RowsHandle } from '../kit/rows.js'
import { useNarrow } from '../kit/use-narrow.js'
import { HiddenWarning } from '../text/hidden-warning.js'
import { Counts } from './diff-counts.js'
import { DiffFileList } from './diff-file-list.js'
import {
  type DiffEntry,
  type DiffFile,
  diffFileOf,
  type FileState,
  HEADER_ROWS,
  WholeDiff,
} from './diff-files.js'
import { DiffHeader } from './diff-header.js'
import { DiffRowView, STEP } from './diff-row.js'
import type { Opened } from './diff-rows.js'
import styles from './diff-view.module.css'
import { LineDialog } from './line-dialog.js'
import type { LineNotes } from './line-notes.js'
import {
  type LinePosition,
  positionKey,
  positionOfKey,
  positionOfLine,
  positionsOfRow,
} from './line-positions.js'
import { readFile } from './read-file.js'
import { linesOf } from './text-lines.js'
import { readViewed, writeViewed } from './viewed-files.js'

const ROW_HEIGHT = 20
/** Files with more changed lines are folded at first. */
const MAX_LINES = 1000
const SPLIT_KEY = 'switchyard.diff-view'

interface DiffViewProps {
  project: string
  /** The commit, branch or tag after the change. */
  head: string
  entries: readonly DiffEntry[]
  /** There are more changed files than these. */
  isCut?: boolean
  /** Notes on lines; without them, lines take none. */
  notes?: LineNotes
}

/** Changed files: a list with counts, and the changes of all of them as one list of rows, of which only those in sight are drawn. */
export function DiffView({ project, head, entries, isCut = false, notes }: DiffViewProps) {
  const [{ hidesWhitespace }, changePreferences] = usePreferences()
  const files = useMemo(
    () => entries.map((entry) => diffFileOf(entry, hidesWhitespace)),
    [entries, hidesWhitespace],
  )
  const shownLines = useMemo(() => files.flatMap(linesAfter), [files])
  const [viewed, setViewed] = useState(readViewed)
  const [states, setStates] = useState<readonly FileState[]>(() =>
    files.map(({ digest, parsed }) => ({
      isFolded: viewed.has(digest) || parsed.added + parsed.removed > MAX_LINES,
      opened: new Map(),
      lines: undefined,
    })),
  )
  const [wantsSplit, setSplit] = useState(() => localStorage.getItem(SPLIT_KEY) === 'split')
  const narrow = useNarrow()
  const isSplit = wantsSplit && !narrow
  const whole = useMemo(() => new WholeDiff(files), [files])
  useMemo(() => whole.layOut(states, isSplit), [whole, states, isSplit])
  const handle = useRef<RowsHandle>(null)
  const [current, setCurrent] = useState(0)

  const change = (file: number, changes: (state: FileState) => Partial<FileState>) =>
    setStates((before) =>
      before.map((state, index) => (index === file ? { ...state, ...changes(state) } : state)),
    )
  const goTo = (file: number) => {
    setCurrent(file)
    handle.current?.scrollToRow(whole.rowOfFile(file))
  }
  const move = (step: number) => goTo(Math.max(0, Math.min(files.length - 1, current + step)))
  useKeys({ j: () => move(1), k: () => move(-1), ']': () => move(1), '[': () => move(-1) })

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

  const [askedFor, setAskedFor] = useState<number>()
  /** A line that is to be shown, once its file is unfolded. */
  const [wanted, setWanted] = useState<LinePosition & { file: number }>()
  useEffect(() => {
    if (!wanted) return
    const row = whole.rowOfPlace(wanted.file, wanted)
    if (row !== undefined) handle.current?.scrollToRow(row, 'middle')
    setWanted(undefined)
  }, [wanted, whole])

  const onClick = (event: MouseEvent) => {
    const target =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-open], [data-note]') : null
    if (!target) return
    const { open: end = 'all', file, gap, note } = target.dataset
    if (note !== undefined) {
      notes?.start?.(positionOfKey(note))
      return
    }
    void open.run(Number(file), Number(gap), end)
  }
  const view = (file: number, isViewed: boolean) => {
    const digest = files[file]?.digest ?? ''
    const next = new Set(viewed)
    if (isViewed) next.add(digest)
    else next.delete(digest)
    writeViewed(next)
    setViewed(next)
    change(file, () => ({ isFolded: isViewed }))
  }
  const split = (value: boolean) => {
    localStorage.setItem(SPLIT_KEY, value ? 'split' : 'unified')
    setSplit(value)
  }
  const hideWhitespace = (value: boolean) => {
    changePreferences({ hidesWhitespace: value })
    // The gaps between the changes are at other lines now.
    setStates(states.map((state) => ({ ...state, opened: new Map() })))
  }
  if (files.length === 0) return <Empty icon={Files} title="No file has changed." />
  const pathsOf = (file: number) => files[file]?.entry ?? { old_path: '', new_path: '' }
  const asked = askedFor === undefined ? undefined : files[askedFor]
  const allFolded = states.every(({ isFolded }) => isFolded)
  const widest = Math.max(...files.map(({ width }) => width))
  const added = files.reduce((sum, { parsed }) => sum + parsed.added, 0)
  const removed = files.reduce((sum, { parsed }) => sum + parsed.removed, 0)
  const count = `${formatCount(files.length, isCut)} ${files.length === 1 ? 'file' : 'files'}`
  const isViewed = (file: number) => viewed.has(files[file]?.digest ?? '')
  const list = <DiffFileList files={files} current={current} isViewed={isViewed} onChoose={goTo} />
  return (
    <section class={styles['diff']} aria-label="Changes">
      <div class={styles['bar']}>
        <h2 class={styles['title']}>Changes</h2>
        <span class={styles['narrowList']}>
          <Popover label={count} name={`Changed files: ${count}`} icon={Files} size="small" rendersWhenOpen>
            <div class={styles['popover']}>{list}</div>
          </Popover>
        </span>
        <span class={styles['count']}>{count}</span>
        <Counts added={added} removed={removed} />
        <span class={styles['space']} />
        {!narrow && (
          <span class={styles['choice']} role="group" aria-label="Layout">
            <Button
              size="small"
              kind="ghost"
              icon={Rows3}
              aria-pressed={!isSplit}
              onClick={() => split(false)}
            >
              Unified
            </Button>
            <Button
              size="small"
              kind="ghost"
              icon={Columns2}
              aria-pressed={isSplit}
              onClick={() => split(true)}
            >
              Side by side
            </Button>
          </span>
        )}
        <IconButton
          size="small"
          icon={Pilcrow}
          label="Hide changes of white space"
          aria-pressed={hidesWhitespace}
          onClick={() => hideWhitespace(!hidesWhitespace)}
        />
        <IconButton
          size="small"
          icon={allFolded ? UnfoldVertical : FoldVertical}
          label={allFolded ? 'Show the changes of all files' : 'Hide the changes of all files'}
          onClick={() => setStates(states.map((state) => ({ ...state, isFolded: !allFolded })))}
        />
      </div>
      {isCut && (
        <Alert tone="warning">There are more changed files than are shown here. Compare them with git.</Alert>
      )}
      <div class={styles['warning']}>
        <HiddenWarning
          of="This change"
          lines={shownLines}
          onShow={(index) => goTo(fileOfLine(files, index))}
        />
      </div>
      <div class={styles['columns']}>
        <div class={styles['list']}>{list}</div>
        <div class={styles['box']} onClick={onClick}>
          <Rows
            handle={handle}
            label="Changed lines"
            count={whole.count}
            rowHeight={ROW_HEIGHT}
            // The rows below a file that is folded or opened have other numbers.
            measuredBy={notes?.isShown ? `${whole.count} ${isSplit}` : undefined}
            class={styles['rows']}
            contentWidth={`max(100%, calc(${isSplit ? 2 * widest : widest}ch + ${isSplit ? 180 : 150}px))`}
            onScroll={() => setCurrent(whole.fileAt(handle.current?.visible().first ?? 0))}
            render={(index) => {
              const row = whole.rowAt(index)
              switch (row?.kind) {
                case 'content':
                  return (
                    <div key={index}>
                      <DiffRowView
                        file={row.file}
                        row={row.row}
                        locate={(line) => notes?.start && positionOfLine(line, pathsOf(row.file))}
                      />
                      {notes?.isShown &&
                        positionsOfRow(row.row, pathsOf(row.file)).map((place) => {
                          const below = notes.below(place)
                          return (
                            below && (
                              <div key={positionKey(place)} class={styles['below']}>
                                {below}
                              </div>
                            )
                          )
                        })}
                    </div>
                  )
                case 'note':
                  return (
                    <div key={index} class={styles['note']}>
                      {row.text}
                    </div>
                  )
                case 'header': {
                  const { file: number } = row
                  const file = files[number]
                  // The heading covers the rows below its first one.
                  return (
                    <div
                      key={index}
                      class={row.row === 0 ? styles['header'] : styles['space']}
                      style={{ height: `${ROW_HEIGHT}px` }}
                    >
                      {row.row === 0 && file && (
                        <div style={{ height: `${ROW_HEIGHT * HEADER_ROWS}px` }}>
                          <DiffHeader
                            project={project}
                            head={head}
                            file={file}
                            isFolded={states[number]?.isFolded ?? false}
                            isViewed={isViewed(number)}
                            onFold={() => change(number, ({ isFolded }) => ({ isFolded: !isFolded }))}
                            onView={(value) => view(number, value)}
                            onOpenAll={() => void open.run(number, 'all', 'all')}
                            onNote={notes?.start && (() => setAskedFor(number))}
                          />
                        </div>
                      )}
                    </div>
                  )
                }
                default:
                  return <div key={index} class={styles['gap']} />
              }
            }}
          />
        </div>
      </div>
      {askedFor !== undefined && asked && (
        <LineDialog
          file={asked}
          onChoose={(place) => {
            change(askedFor, () => ({ isFolded: false }))
            notes?.start?.(place)
            setWanted({ ...place, file: askedFor })
          }}
          onClose={() => setAskedFor(undefined)}
        />
      )}
    </section>
  )
}

/** The lines of a changed file that are there after the change, as far as the diff shows them. */
function linesAfter({ parsed }: DiffFile): string[] {
  return parsed.hunks.flatMap(({ lines }) =>
    lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text),
  )
}

/** The file that has a line of `linesAfter` of all files. */
function fileOfLine(files: readonly DiffFile[], index: number): number {
  let end = 0
  return files.findIndex((file) => {
    end += linesAfter(file).length
    return index < end
  })
}

function widened(before: Opened = { top: 0, bottom: 0 }, end: string): Opened {
  if (end === 'top') return { ...before, top: before.top + STEP }
  if (end === 'bottom') return { ...before, bottom: before.bottom + STEP }
  return { top: Number.MAX_SAFE_INTEGER, bottom: 0 }
}
