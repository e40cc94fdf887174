import { ChevronDown, ChevronRight } from 'lucide'

import { classNames } from '../kit/class-names.js'
import { formatClock, formatDuration } from '../kit/durations.js'
import { Icon } from '../kit/icon.js'
import { MarkedText } from '../text/marked-text.js'
import type { FileAddress } from './file-address.js'
import styles from './log-row.module.css'
import type { LogLine } from './log-source.js'
import type { Piece } from './styled-text.js'

/** Times before the lines: none, of the day, since the first line, or since the line before. */
export type TimeKind = 'off' | 'clock' | 'elapsed' | 'delta'

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
/** Shorter times between lines are not shown. */
const LEAST_DELTA = 0.05

interface LogRowProps {
  number: number
  /** Undefined until it has been read. */
  line: LogLine | undefined
  times: TimeKind
  /** Time of the line that `times` counts from, in milliseconds since 1970. */
  since: number | undefined
  wraps: boolean
  isSelected: boolean
  /** Matches of the search in the plain text of the line. */
  hit: readonly (readonly [number, number])[] | undefined
  isCurrentHit: boolean
  /** For the title of a section. `hits`: lines in it that the search has found, while it is folded. */
  fold: { isClosed: boolean; duration: number | null; hits: number } | undefined
  fileAddress: FileAddress | undefined
}

/**
 * One line of a log. The number, the arrow of a section and the end of a line that was cut act by `data-line`, `data-fold`
 * and `data-whole`, which the log listens to: a line is lower than what a finger needs, so the bar of the log and the
 * keyboard do the same.
 */
export function LogRow(props: LogRowProps) {
  const { number, line, times, since, wraps, isSelected, hit, isCurrentHit, fold, fileAddress } = props
  return (
    <div
      class={classNames(
        styles['row'],
        wraps && styles['wraps'],
        isSelected && styles['selected'],
        isCurrentHit && styles['hit'],
        fold && styles['title'],
      )}
    >
      <span class={styles['number']} data-line={number} aria-hidden="true">
        {number}
      </span>
      {times !== 'off' && <span class={styles['time']}>{timeText(line?.time, since, times)}</span>}
      {fold ? (
        <span class={styles['fold']} data-fold={number} aria-hidden="true">
          <Icon icon={fold.isClosed ? ChevronRight : ChevronDown} size={14} />
        </span>
      ) : (
        <span class={styles['indent']} />
      )}
      <span class={styles['text']}>
        {line && <Pieces pieces={line.pieces} hit={hit} fileAddress={fileAddress} />}
      </span>
      {line && line.overwritten > 0 && (
        <span class={styles['note']} title="Texts that were replaced in this line">
          ↻ {line.overwritten}
        </span>
      )}
      {line?.isCut && (
        <span class={styles['note']} data-whole={number} title="Show the whole line">
          line cut, show all
        </span>
      )}
      {fold && fold.hits > 0 && (
        <span class={styles['hits']}>
          {fold.hits} {fold.hits === 1 ? 'match' : 'matches'}
        </span>
      )}
      {fold && fold.duration !== null && (
        <span class={styles['duration']}>{formatDuration(fold.duration)}</span>
      )}
    </div>
  )
}

interface PiecesProps extends Pick<LogRowProps, 'hit' | 'fileAddress'> {
  pieces: readonly Piece[]
}

/** Text with its looks; `hit` are the matches of a search in it. */
export function Pieces({ pieces, hit, fileAddress }: PiecesProps) {
  let from = 0
  return (
    <>
      {pieces.map((piece, index) => {
        const start = from
        from += piece.text.length
        return (
          <StyledPiece key={index} piece={piece} hits={hitsIn(hit, start, from)} fileAddress={fileAddress} />
        )
      })}
    </>
  )
}

interface StyledPieceProps extends Pick<PiecesProps, 'fileAddress'> {
  piece: Piece
  hits: [number, number][]
}

function StyledPiece({ piece, hits, fileAddress }: StyledPieceProps) {
  const classes = classNames(...piece.looks.map((name) => styles[name]))
  const style = {
    ...(piece.color !== undefined && { color: piece.color }),
    ...(piece.background !== undefined && { background: piece.background }),
  }
  const text = hits.length === 0 ? <MarkedText text={piece.text} /> : marked(piece.text, hits)
  if (piece.href !== undefined) {
    return (
      <a
        class={classNames(styles['link'], classes)}
        style={style}
        href={piece.href}
        target="_blank"
        rel="noreferrer noopener"
      >
        {text}
      </a>
    )
  }
  const file = piece.file && fileAddress?.(piece.file.path, piece.file.line)
  if (file !== undefined) {
    return (
      <a class={classNames(styles['link'], classes)} style={style} href={file}>
        {text}
      </a>
    )
  }
  return classes === '' && Object.keys(style).length === 0 ? (
    <>{text}</>
  ) : (
    <span class={classes} style={style}>
      {text}
    </span>
  )
}

function marked(text: string, hits: readonly [number, number][]) {
  const parts = []
  let from = 0
  for (const [start, end] of hits) {
    parts.push(
      <MarkedText key={`before ${start}`} text={text.slice(from, start)} />,
      <mark key={start}>
        <MarkedText text={text.slice(start, end)} />
      </mark>,
    )
    from = end
  }
  parts.push(<MarkedText key="rest" text={text.slice(from)} />)
  return parts
}

/** The parts of the matches of a search that are in a piece, from its start. */
function hitsIn(hit: LogRowProps['hit'], start: number, end: number): [number, number][] {
  return (hit ?? []).flatMap(([from, to]): [number, number][] =>
    from < end && to > start ? [[Math.max(from, start) - start, Math.min(to, end) - start]] : [],
  )
}

function timeText(time: number | undefined, since: number | undefined, kind: TimeKind): string {
  if (time === undefined) return ''
  if (kind === 'clock') return CLOCK.format(time)
  if (since === undefined) return ''
  const seconds = (time - since) / 1000
  if (kind === 'elapsed') return formatClock(seconds)
  return seconds < LEAST_DELTA ? '' : `+${formatDuration(seconds)}`
}
