import { useLoaded } from '../frame/use-loaded.js'
import { Rows, type RowsHandle } from '../kit/rows.js'
import type { BinaryChangeProps } from './binary-change.js'
import type { DiffFile, WholeDiff } from './diff-files.js'
import { HEADER_ROWS } from './diff-files.js'
import { DiffHeader } from './diff-header.js'
import { DiffRowView } from './diff-row.js'
import type { DiffRow } from './diff-rows.js'
import styles from './diff-view.module.css'
import type { LineNotes } from './line-notes.js'
import { positionKey, positionOfKey, positionOfLine, positionsOfRow } from './line-positions.js'
import type { FileStates } from './use-file-states.js'

const ROW_HEIGHT = 20

interface DiffLinesProps {
  handle: { current: RowsHandle | null }
  project: string
  base: string | undefined
  head: string
  files: readonly DiffFile[]
  /** Laid out for `states` and `isSplit`. */
  whole: WholeDiff
  states: FileStates
  isSplit: boolean
  notes: LineNotes | undefined
  /** Asks for the line of a file that a note is for. */
  onNote: (file: number) => void
  onScroll: () => void
}

/** The changes of all files as one list of rows, of which only those in sight are drawn. */
export function DiffLines(props: DiffLinesProps) {
  const { handle, files, whole, states, isSplit, notes } = props
  const onClick = (event: MouseEvent) => {
    const target =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-open], [data-note]') : null
    if (!target) return
    const { open: end = 'all', file, gap, note } = target.dataset
    if (note === undefined) states.open(Number(file), Number(gap), end)
    else notes?.start?.(positionOfKey(note))
  }
  const widest = Math.max(...files.map(({ width }) => width))
  return (
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
        onScroll={props.onScroll}
        render={(index) => {
          const row = whole.rowAt(index)
          switch (row?.kind) {
            case 'content':
              return <ContentRow key={index} file={row.file} row={row.row} files={files} notes={notes} />
            case 'note':
              return (
                <div key={index} class={styles['note']}>
                  {row.text}
                </div>
              )
            case 'binary':
              return <BinaryRow key={index} {...props} number={row.file} row={row.row} />
            case 'header':
              return <HeaderRow key={index} {...props} number={row.file} row={row.row} />
            default:
              return <div key={index} class={styles['gap']} />
          }
        }}
      />
    </div>
  )
}

interface ContentRowProps {
  file: number
  row: DiffRow
  files: readonly DiffFile[]
  notes: LineNotes | undefined
}

/** A line of a file, with the notes on it. */
function ContentRow({ file, row, files, notes }: ContentRowProps) {
  const paths = files[file]?.entry ?? { old_path: '', new_path: '' }
  return (
    <div>
      <DiffRowView
        file={file}
        row={row}
        locate={(line) => notes?.start && positionOfLine(line, paths)}
        mark={(line) => notes?.mark?.(paths.new_path, line)}
      />
      {notes?.isShown &&
        positionsOfRow(row, paths).map((position) => {
          const below = notes.below(position)
          return (
            below && (
              <div key={positionKey(position)} class={styles['below']}>
                {below}
              </div>
            )
          )
        })}
    </div>
  )
}

/** One of the rows of a file without lines; the first one shows it. */
function BinaryRow({
  project,
  base,
  head,
  files,
  number,
  row,
}: DiffLinesProps & { number: number; row: number }) {
  const file = files[number]
  return (
    <div class={row === 0 ? styles['header'] : styles['space']} style={{ height: `${ROW_HEIGHT}px` }}>
      {row === 0 && file && (
        <Binary
          project={project}
          base={base}
          head={head}
          entry={file.entry}
          height={file.binaryRows * ROW_HEIGHT}
        />
      )}
    </div>
  )
}

/** One of the rows that the heading of a file covers; the first one shows it. */
function HeaderRow(props: DiffLinesProps & { number: number; row: number }) {
  const { project, head, files, states, notes, onNote, number, row } = props
  const file = files[number]
  const isFolded = states.states[number]?.isFolded ?? false
  return (
    <div class={row === 0 ? styles['header'] : styles['space']} style={{ height: `${ROW_HEIGHT}px` }}>
      {row === 0 && file && (
        <div style={{ height: `${ROW_HEIGHT * HEADER_ROWS}px` }}>
          <DiffHeader
            project={project}
            head={head}
            file={file}
            isFolded={isFolded}
            more={notes?.heading?.(file)}
            isViewed={states.isViewed(number)}
            onFold={() => states.fold(number, !isFolded)}
            onView={(value) => states.view(number, value)}
            onOpenAll={() => states.open(number, 'all', 'all')}
            onNote={notes?.start && (() => onNote(number))}
          />
        </div>
      )}
    </div>
  )
}

function Binary(props: BinaryChangeProps) {
  const part = useLoaded(() => import('./binary-change.js'))
  return part ? <part.BinaryChange {...props} /> : null
}
