import { Files } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { useLoaded } from '../frame/use-loaded.js'
import { usePreferences } from '../frame/use-preferences.js'
import { Alert } from '../kit/alert.js'
import { Empty } from '../kit/empty.js'
import { useKeys } from '../kit/keys.js'
import type { RowsHandle } from '../kit/rows.js'
import { useNarrow } from '../kit/use-narrow.js'
import { HiddenWarning } from '../text/hidden-warning.js'
import { DiffBar } from './diff-bar.js'
import { DiffFileList } from './diff-file-list.js'
import { type DiffEntry, type DiffFile, diffFileOf, WholeDiff } from './diff-files.js'
import { DiffLines } from './diff-lines.js'
import styles from './diff-view.module.css'
import type { LineDialogProps } from './line-dialog.js'
import type { LineNotes } from './line-notes.js'
import type { LinePosition } from './line-positions.js'
import { useFileStates } from './use-file-states.js'
import { useBrowserMarks, type ViewedMarks } from './viewed-files.js'

const SPLIT_KEY = 'switchyard.diff-view'

interface DiffViewProps {
  project: string
  /** The commit, branch or tag before the change; undefined if there is none, or it is not known. */
  base?: string | undefined
  /** The commit, branch or tag after the change. */
  head: string
  entries: readonly DiffEntry[]
  /** There are more changed files than these. */
  isCut?: boolean
  /** Notes on lines; without them, lines take none. */
  notes?: LineNotes
  /** Lines to which the keys `n` and `p` lead, in the order of the changes. */
  stops?: readonly LinePosition[]
  /** The line that is shown at first, as soon as it is known. */
  shows?: LinePosition | undefined
  /** Where the marks of viewed files are kept; in this browser by default. */
  marks?: ViewedMarks | undefined
}

const NO_STOPS: readonly LinePosition[] = []

/** Changed files: a list with counts, and their changes. */
export function DiffView({
  project,
  base,
  head,
  entries,
  isCut = false,
  notes,
  stops = NO_STOPS,
  shows,
  marks,
}: DiffViewProps) {
  const [{ hidesWhitespace }, changePreferences] = usePreferences()
  const files = useMemo(
    () => entries.map((entry) => diffFileOf(entry, hidesWhitespace)),
    [entries, hidesWhitespace],
  )
  const shownLines = useMemo(() => files.flatMap(linesAfter), [files])
  const ownMarks = useBrowserMarks()
  const states = useFileStates(files, project, head, marks ?? ownMarks)
  const [wantsSplit, setSplit] = useState(() => localStorage.getItem(SPLIT_KEY) === 'split')
  const narrow = useNarrow()
  const isSplit = wantsSplit && !narrow
  const whole = useMemo(() => new WholeDiff(files), [files])
  useMemo(() => whole.layOut(states.states, isSplit), [whole, states.states, isSplit])
  const handle = useRef<RowsHandle>(null)
  const [current, setCurrent] = useState(0)
  const goTo = (file: number) => {
    setCurrent(file)
    handle.current?.scrollToRow(whole.rowOfFile(file))
  }
  const move = (step: number) => goTo(Math.max(0, Math.min(files.length - 1, current + step)))
  /** A file that is to be shown, once the one before it is folded. */
  const [next, setNext] = useState<number>()
  useEffect(() => {
    if (next !== undefined) goTo(next)
    setNext(undefined)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `goTo` is another function in each render
  }, [next])
  const toggleViewed = () => {
    const isViewed = !states.isViewed(current)
    states.view(current, isViewed)
    if (isViewed) setNext(Math.min(files.length - 1, current + 1))
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ']': () => move(1),
    '[': () => move(-1),
    v: toggleViewed,
  })

  const [askedFor, setAskedFor] = useState<number>()
  /** A line that is to be shown, once its file is unfolded. */
  const [wanted, setWanted] = useState<LinePosition & { file: number }>()
  useEffect(() => {
    if (!wanted) return
    const row = whole.rowOfLine(wanted.file, wanted)
    if (row !== undefined) handle.current?.scrollToRow(row, 'middle')
    setWanted(undefined)
  }, [wanted, whole])

  const showLine = (position: LinePosition | undefined) => {
    const file = position ? fileOf(files, position) : -1
    if (!position || file === -1) return
    setCurrent(file)
    states.fold(file, false)
    setWanted({ ...position, file })
  }
  const stop = useRef(-1)
  const moveToStop = (step: number) => {
    if (stops.length === 0) return
    stop.current = (stop.current + step + stops.length) % stops.length
    showLine(stops[stop.current])
  }
  useKeys({ n: () => moveToStop(1), p: () => moveToStop(-1) })
  const asked = shows && `${shows.side} ${shows.line} ${shows.path}`
  const hasFile = shows !== undefined && fileOf(files, shows) !== -1
  useEffect(() => {
    if (hasFile) showLine(shows)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the line is shown once, however often the changes are rendered
  }, [asked, hasFile])

  const split = (value: boolean) => {
    localStorage.setItem(SPLIT_KEY, value ? 'split' : 'unified')
    setSplit(value)
  }
  const hideWhitespace = (value: boolean) => {
    changePreferences({ hidesWhitespace: value })
    // The gaps between the changes are at other lines now.
    states.closeGaps()
  }
  if (files.length === 0) return <Empty icon={Files} title="No file has changed." />
  const askedFile = askedFor === undefined ? undefined : files[askedFor]
  const list = <DiffFileList files={files} current={current} isViewed={states.isViewed} onChoose={goTo} />
  return (
    <section class={styles['diff']} aria-label="Changes">
      <DiffBar
        files={files}
        isCut={isCut}
        viewedCount={states.viewedCount}
        list={list}
        isSplit={narrow ? undefined : isSplit}
        onSplit={split}
        hidesWhitespace={hidesWhitespace}
        onHideWhitespace={hideWhitespace}
        allFolded={states.allFolded}
        onFoldAll={states.foldAll}
      />
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
        <DiffLines
          handle={handle}
          project={project}
          base={base}
          head={head}
          files={files}
          whole={whole}
          states={states}
          isSplit={isSplit}
          notes={notes}
          onNote={setAskedFor}
          onScroll={() => setCurrent(whole.fileAt(handle.current?.visible().first ?? 0))}
        />
      </div>
      {askedFor !== undefined && askedFile && (
        <Dialog
          file={askedFile}
          onChoose={(position) => {
            states.fold(askedFor, false)
            notes?.start?.(position)
            setWanted({ ...position, file: askedFor })
          }}
          onClose={() => setAskedFor(undefined)}
        />
      )}
    </section>
  )
}

function Dialog(props: LineDialogProps) {
  const part = useLoaded(() => import('./line-dialog.js'))
  return part ? <part.LineDialog {...props} /> : null
}

/** The index of the file with a line; -1 without one. */
function fileOf(files: readonly DiffFile[], { path, side }: LinePosition): number {
  return files.findIndex(({ entry }) => (side === 'old' ? entry.old_path : entry.new_path) === path)
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
