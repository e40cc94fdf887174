import type { DiffRow, ShownLine } from './diff-rows.js'
import type { ParsedDiff } from './parse-diff.js'

/** A line of a changed file, before (`old`) or after (`new`) the change. Lines count from 1. */
export interface LinePosition {
  path: string
  line: number
  side: 'old' | 'new'
}

interface Paths {
  old_path: string
  new_path: string
}

/** The position for a note on a line: of a removed line, that before the change. Opened lines take no notes. */
export function positionOfLine(
  { kind, old, new: now, isOpened }: ShownLine,
  paths: Paths,
): LinePosition | undefined {
  if (isOpened) return undefined
  if (kind !== 'removed' && now !== undefined) return { path: paths.new_path, line: now, side: 'new' }
  return old === undefined ? undefined : { path: paths.old_path, line: old, side: 'old' }
}

/** All positions that a row shows. A line that is the same before and after the change has two. */
export function positionsOfRow(row: DiffRow, paths: Paths): LinePosition[] {
  if (row.kind === 'gap') return []
  const [left, right] = row.kind === 'line' ? [row.line, row.line] : [row.left, row.right]
  const positions: LinePosition[] = []
  if (left?.old !== undefined && left.kind !== 'added')
    positions.push({ path: paths.old_path, line: left.old, side: 'old' })
  if (right?.new !== undefined && right.kind !== 'removed')
    positions.push({ path: paths.new_path, line: right.new, side: 'new' })
  return positions
}

/** Whether the diff itself has a line. */
export function hasLine({ hunks }: ParsedDiff, { line, side }: Pick<LinePosition, 'line' | 'side'>): boolean {
  return hunks.some(({ lines }) => lines.some((at) => at[side] === line))
}

/** Names a position in an attribute, and as a key. */
export function positionKey({ path, line, side }: LinePosition): string {
  return `${side} ${line} ${path}`
}

/** The position that `positionKey` has named. */
export function positionOfKey(key: string): LinePosition {
  const [side = '', line = '', ...path] = key.split(' ')
  return { side: side === 'old' ? 'old' : 'new', line: Number(line), path: path.join(' ') }
}
