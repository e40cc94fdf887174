import { ChevronDown, ChevronRight } from 'lucide'

import { classNames } from '../kit/class-names.js'
import { formatClock, formatDuration } from '../kit/durations.js'
import { Icon } from '../kit/icon.js'
import styles from './log-row.module.css'
import type { LogLine } from './log-source.js'
import type { Piece } from './styled-text.js'

/** Height of a line, in pixels. */
export const ROW_HEIGHT = 20

/** Times before the lines: none, of the day, or since the first line. */
export type TimeKind = 'off' | 'clock' | 'elapsed'

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

interface LogRowProps {
  number: number
  /** Undefined until it has been read. */
  line: LogLine | undefined
  times: TimeKind
  /** Time of the first line, in milliseconds since 1970. */
  start: number | undefined
  isSelected: boolean
  /** Places of the search in the plain text of the line. */
  hit: readonly (readonly [number, number])[] | undefined
  isCurrentHit: boolean
  /** For the title of a section. */
  fold: { isClosed: boolean; duration: number | null } | undefined
}

/**
 * One line of a log. The number and the arrow of a section act by `data-line` and `data-fold`, which the log listens to: a
 * line is lower than what a finger needs, so the bar of the log and the keyboard do the same.
 */
export function LogRow({ number, line, times, start, isSelected, hit, isCurrentHit, fold }: LogRowProps) {
  return (
    <div
      class={classNames(
        styles['row'],
        isSelected && styles['selected'],
        isCurrentHit && styles['hit'],
        fold && styles['title'],
      )}
      style={{ height: `${ROW_HEIGHT}px` }}
    >
      <span class={styles['number']} data-line={number} aria-hidden="true">
        {number}
      </span>
      {times !== 'off' && <span class={styles['time']}>{timeText(line?.time, start, times)}</span>}
      {fold ? (
        <span class={styles['fold']} data-fold={number} aria-hidden="true">
          <Icon icon={fold.isClosed ? ChevronRight : ChevronDown} size={14} />
        </span>
      ) : (
        <span class={styles['indent']} />
      )}
      <span class={styles['text']}>{line && <Pieces pieces={line.pieces} hit={hit} />}</span>
      {line && line.overwritten > 0 && (
        <span class={styles['note']} title="Texts that were replaced in this line">
          ↻ {line.overwritten}
        </span>
      )}
      {line?.isCut && <span class={styles['note']}>line cut</span>}
      {fold && fold.duration !== null && (
        <span class={styles['duration']}>{formatDuration(fold.duration)}</span>
      )}
    </div>
  )
}

/** Text with its looks; `hit` are places that a search has found in it. */
export function Pieces({ pieces, hit }: { pieces: readonly Piece[]; hit: LogRowProps['hit'] }) {
  let from = 0
  return (
    <>
      {pieces.map((piece, index) => {
        const start = from
        from += piece.text.length
        return <StyledPiece key={index} piece={piece} hits={hitsIn(hit, start, from)} />
      })}
    </>
  )
}

function StyledPiece({ piece, hits }: { piece: Piece; hits: [number, number][] }) {
  const look = classNames(...piece.looks.map((name) => styles[name]))
  const style = {
    ...(piece.color !== undefined && { color: piece.color }),
    ...(piece.background !== undefined && { background: piece.background }),
  }
  const text = hits.length === 0 ? piece.text : marked(piece.text, hits)
  if (piece.href !== undefined) {
    return (
      <a
        class={classNames(styles['link'], look)}
        style={style}
        href={piece.href}
        target="_blank"
        rel="noreferrer noopener"
      >
        {text}
      </a>
    )
  }
  return look === '' && Object.keys(style).length === 0 ? (
    <>{text}</>
  ) : (
    <span class={look} style={style}>
      {text}
    </span>
  )
}

function marked(text: string, hits: readonly [number, number][]) {
  const parts = []
  let from = 0
  for (const [start, end] of hits) {
    parts.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>)
    from = end
  }
  parts.push(text.slice(from))
  return parts
}

/** The parts of the places of a search that lie in a piece, from its start. */
function hitsIn(hit: LogRowProps['hit'], start: number, end: number): [number, number][] {
  return (hit ?? []).flatMap(([from, to]): [number, number][] =>
    from < end && to > start ? [[Math.max(from, start) - start, Math.min(to, end) - start]] : [],
  )
}

function timeText(time: number | undefined, start: number | undefined, kind: TimeKind): string {
  if (time === undefined) return ''
  if (kind === 'clock') return CLOCK.format(time)
  return start === undefined ? '' : formatClock((time - start) / 1000)
}
