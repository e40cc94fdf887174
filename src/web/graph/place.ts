import type { JobGroup } from './job-groups.js'
import type { Relations } from './relations.js'

export const BOX_WIDTH = 232
export const COLUMN_GAP = 56
export const BOX_GAP = 8
const BOX_HEIGHT = 40
/** Of a box with a second line. */
const TALL_BOX_HEIGHT = 58
const HEADING_HEIGHT = 34
/** Between the columns of a list. */
const LIST_GAP = 8
/** A longer column folds its groups that need no attention. */
const LONGEST_COLUMN = 40
const QUIET = new Set(['success', 'skipped'])
/** Boxes of a block: few enough that one is drawn within a frame. */
const BLOCK_LENGTH = 8

/** A box of the graph, with its place in pixels. */
export interface Box {
  kind: 'group' | 'job' | 'folded'
  key: string
  group: JobGroup | undefined
  /** The instance, for the boxes of a group that is open; and for a group of one job. */
  job: JobGroup['jobs'][number] | undefined
  /** Number of groups behind a folded box. */
  count: number
  x: number
  y: number
  height: number
}

/** Boxes of a column that follow each other, which are drawn together. */
export interface Block {
  x: number
  y: number
  height: number
  boxes: readonly Box[]
}

export interface PlacedGraph {
  boxes: Box[]
  width: number
  height: number
  columns: { x: number; y: number; blocks: Block[] }[]
}

/**
 * Places the boxes of a graph, column by column.
 * @param open keys of parallel groups whose instances are shown
 * @param unfolded numbers of long columns that show everything
 * @param isList the columns are below each other, for narrow screens
 */
export function placeGraph(
  columns: readonly (readonly JobGroup[])[],
  open: ReadonlySet<string>,
  unfolded: ReadonlySet<number>,
  isList = false,
): PlacedGraph {
  let reached = 0
  const placed = columns.map((column, number) => {
    const x = isList ? 0 : number * (BOX_WIDTH + COLUMN_GAP)
    const top = isList ? reached : 0
    const folds = column.length > LONGEST_COLUMN && !unfolded.has(number)
    const shown = folds ? column.filter(({ status }) => !QUIET.has(status)) : column
    let y = top + HEADING_HEIGHT
    const boxes: Box[] = []
    const add = (box: Omit<Box, 'x' | 'y' | 'height' | 'count'> & { count?: number }) => {
      const height = box.job?.waiting ? TALL_BOX_HEIGHT : BOX_HEIGHT
      boxes.push({ count: 0, ...box, x, y, height })
      y += height + BOX_GAP
    }
    for (const group of shown) {
      const single = group.jobs.length === 1 ? group.jobs[0] : undefined
      add({ kind: 'group', key: group.key, group, job: single })
      if (single || !open.has(group.key)) continue
      for (const job of group.jobs) add({ kind: 'job', key: `${group.key}/${job.name}`, group, job })
    }
    if (folds && shown.length < column.length) {
      add({
        kind: 'folded',
        key: `folded ${number}`,
        group: undefined,
        job: undefined,
        count: column.length - shown.length,
      })
    }
    reached = y + LIST_GAP
    return { x, y: top, boxes }
  })
  const boxes = placed.flatMap((column) => column.boxes)
  return {
    boxes,
    columns: placed.map(({ x, y, boxes: own }) => ({ x, y, blocks: blocksOf(own) })),
    width: isList ? BOX_WIDTH : Math.max(0, columns.length * (BOX_WIDTH + COLUMN_GAP) - COLUMN_GAP),
    height: Math.max(HEADING_HEIGHT, ...boxes.map(({ y, height }) => y + height)),
  }
}

function blocksOf(boxes: readonly Box[]): Block[] {
  const blocks: Block[] = []
  for (let start = 0; start < boxes.length; start += BLOCK_LENGTH) {
    const own = boxes.slice(start, start + BLOCK_LENGTH)
    const [first, last] = [own[0], own.at(-1)]
    if (first && last) {
      blocks.push({ x: first.x, y: first.y, height: last.y + last.height - first.y, boxes: own })
    }
  }
  return blocks
}

/** Whether two blocks look the same, at the same place. */
export function isSameBlock(a: Block, b: Block): boolean {
  return (
    a === b ||
    (a.x === b.x &&
      a.y === b.y &&
      a.height === b.height &&
      a.boxes.length === b.boxes.length &&
      a.boxes.every((box, index) => isSameBox(box, b.boxes[index])))
  )
}

function isSameBox(a: Box, b: Box | undefined): boolean {
  return (
    a.key === b?.key &&
    a.kind === b.kind &&
    a.count === b.count &&
    a.height === b.height &&
    a.job === b.job &&
    a.group?.jobs.length === b.group?.jobs.length &&
    (a.group?.jobs ?? []).every((job, index) => job === b.group?.jobs[index])
  )
}

/** One SVG path with a curve for each need between boxes that are shown. */
export function edgePath({ boxes }: PlacedGraph, { before }: Relations, keys?: ReadonlySet<string>): string {
  const byKey = new Map(boxes.flatMap((box) => (box.kind === 'group' ? [[box.key, box] as const] : [])))
  const curves: string[] = []
  for (const [key, needed] of before) {
    const to = byKey.get(key)
    if (!to || (keys && !keys.has(key))) continue
    for (const other of needed) {
      const from = byKey.get(other)
      if (!from || (keys && !keys.has(other))) continue
      curves.push(curve(from, to))
    }
  }
  return curves.join('')
}

function curve(from: Box, to: Box): string {
  const x1 = from.x + BOX_WIDTH
  const y1 = from.y + BOX_HEIGHT / 2
  const x2 = to.x
  const y2 = to.y + BOX_HEIGHT / 2
  const bend = Math.min(COLUMN_GAP, Math.max(24, (x2 - x1) / 2))
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}
