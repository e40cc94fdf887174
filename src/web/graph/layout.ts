import type { LinkedPipeline } from '../../coordinator/ci/pipelines/graph/schema.js'
import { columnWidth } from './column-width.js'
import type { JobGroup } from './job-groups.js'
import type { OpenPipeline } from './open-pipeline.js'
import type { Relations } from './relations.js'

const COLUMN_GAP = 56
export const BOX_GAP = 8
const BOX_HEIGHT = 40
/** Of a box with a second line. */
const TALL_BOX_HEIGHT = 58
/** Of a line of text between the boxes of a pipeline that is open in place. */
const LINE_HEIGHT = 22
const HEADING_HEIGHT = 34
/** Between the columns of a list. */
const LIST_GAP = 8
/** A longer column folds its groups that need no attention. */
const MAX_COLUMN_LENGTH = 40
const QUIET = new Set(['success', 'skipped'])
/** Boxes of a block: few enough that one is drawn within a frame. */
const BLOCK_LENGTH = 8

/** A box of the graph, with its position in pixels. */
export interface Box {
  /** `pipeline`: the one that started this one; `stage` and `note`: lines of text of a pipeline that is open in place. */
  kind: 'group' | 'job' | 'folded' | 'pipeline' | 'stage' | 'note'
  key: string
  /** How many pipelines and groups it is inside of. */
  depth: number
  /** Key of the group of the shown pipeline that the box belongs to; undefined for none. */
  root: string | undefined
  group: JobGroup | undefined
  /** The instance, for the boxes of a group that is open; and for a group of one job. */
  job: JobGroup['jobs'][number] | undefined
  /** The pipeline that opens below the box. */
  opens: LinkedPipeline | undefined
  /** Text of a line. */
  text: string
  /** Status of the stage, for its line. */
  status: string | undefined
  /** Keys of the groups behind a folded box. */
  folded: readonly string[]
  x: number
  y: number
  width: number
  height: number
}

/** Boxes of a column that follow each other, which are drawn together. */
export interface Block {
  x: number
  y: number
  width: number
  height: number
  boxes: readonly Box[]
}

export interface GraphLayout {
  boxes: Box[]
  width: number
  height: number
  columns: { x: number; y: number; width: number; blocks: Block[] }[]
}

/** What is shown of a graph. */
export interface GraphShape {
  columns: readonly (readonly JobGroup[])[]
  /** Keys of parallel groups whose instances are shown. */
  open?: ReadonlySet<string>
  /** Numbers of long columns that show everything. */
  unfolded?: ReadonlySet<number>
  /** The columns are below each other, for narrow screens. */
  isList?: boolean
  /** ID of the pipeline. */
  id?: number | undefined
  /** The pipeline that started it, which has a column of its own before the others. */
  upstream?: LinkedPipeline | null | undefined
  /** Pipelines that are open in place, by their IDs. */
  pipelines?: ReadonlyMap<number, OpenPipeline> | undefined
}

/** Computes the positions of the boxes of a graph, column by column. */
export function layOutGraph(shape: GraphShape): GraphLayout {
  const { columns, unfolded = new Set(), isList = false, upstream } = shape
  let reached = 0
  let right = 0
  const layOutColumn = (boxes: readonly UnplacedBox[]) => {
    const width = columnWidth(boxes)
    const x = right
    if (!isList) right += width + COLUMN_GAP
    const top = isList ? reached : 0
    let y = top + HEADING_HEIGHT
    const placed = boxes.map((box) => {
      const height = heightOf(box)
      y += height + BOX_GAP
      return { ...box, x, y: y - height - BOX_GAP, width, height }
    })
    reached = y + LIST_GAP
    return { x, y: top, width, boxes: placed }
  }
  const contents = columns.map((column, number) => columnBoxes(shape, column, number, unfolded.has(number)))
  if (upstream) contents.unshift(upstreamBoxes(shape, upstream))
  const placed = contents.map(layOutColumn)
  const boxes = placed.flatMap((column) => column.boxes)
  return {
    boxes,
    columns: placed.map(({ x, y, width, boxes: own }) => ({ x, y, width, blocks: blocksOf(own) })),
    width: Math.max(0, ...placed.map(({ x, width }) => x + width)),
    height: Math.max(HEADING_HEIGHT, ...boxes.map(({ y, height }) => y + height)),
  }
}

type UnplacedBox = Omit<Box, 'x' | 'y' | 'width' | 'height'>

const NOTHING: Omit<UnplacedBox, 'kind' | 'key'> = {
  depth: 0,
  root: undefined,
  group: undefined,
  job: undefined,
  opens: undefined,
  text: '',
  status: undefined,
  folded: [],
}

function heightOf({ kind, job }: UnplacedBox): number {
  if (kind === 'stage' || kind === 'note') return LINE_HEIGHT
  return job?.waiting ? TALL_BOX_HEIGHT : BOX_HEIGHT
}

function columnBoxes(
  shape: GraphShape,
  column: readonly JobGroup[],
  number: number,
  isUnfolded: boolean,
): UnplacedBox[] {
  const folds = column.length > MAX_COLUMN_LENGTH && !isUnfolded
  const shown = folds ? column.filter(({ status }) => !QUIET.has(status)) : column
  const own = new Set(shape.id === undefined ? [] : [shape.id])
  const boxes = shown.flatMap((group) =>
    groupBoxes(shape, group, { prefix: '', depth: 0, root: group.key, above: own }),
  )
  if (folds && shown.length < column.length) {
    const folded = column.filter((group) => !shown.includes(group)).map(({ key }) => key)
    boxes.push({ ...NOTHING, kind: 'folded', key: `folded ${number}`, folded })
  }
  return boxes
}

/** What boxes are inside of: a group of the shown pipeline, and pipelines. */
interface Container {
  /** Begins the keys of the boxes. */
  prefix: string
  depth: number
  root: string | undefined
  /** IDs of the pipelines around it, which do not open once more inside themselves. */
  above: ReadonlySet<number>
}

function groupBoxes(shape: GraphShape, group: JobGroup, container: Container): UnplacedBox[] {
  const { prefix, depth, root } = container
  const key = prefix + group.key
  const single = group.jobs.length === 1 ? group.jobs[0] : undefined
  if (single) return jobBoxes(shape, group, single, { kind: 'group', key }, container)
  const box: UnplacedBox = { ...NOTHING, kind: 'group', key, group, depth, root }
  if (!shape.open?.has(key)) return [box]
  const inside = { ...container, depth: depth + 1 }
  return [
    box,
    ...group.jobs.flatMap((job) =>
      jobBoxes(shape, group, job, { kind: 'job', key: `${key}/${job.name}` }, inside),
    ),
  ]
}

function jobBoxes(
  shape: GraphShape,
  group: JobGroup,
  job: JobGroup['jobs'][number],
  of: Pick<Box, 'kind' | 'key'>,
  container: Container,
): UnplacedBox[] {
  const { depth, root, above } = container
  const opens = job.downstream && !above.has(job.downstream.id) ? job.downstream : undefined
  const box = { ...NOTHING, ...of, group, job, depth, root, opens }
  return [box, ...pipelineBoxes(shape, opens, { ...container, prefix: `${of.key}/` })]
}

function upstreamBoxes(shape: GraphShape, pipeline: LinkedPipeline): UnplacedBox[] {
  const above = new Set(shape.id === undefined ? [] : [shape.id])
  return linkBoxes(shape, pipeline, { prefix: '', depth: 0, root: undefined, above })
}

function linkBoxes(shape: GraphShape, pipeline: LinkedPipeline, container: Container): UnplacedBox[] {
  const { prefix, depth, root } = container
  const key = `${prefix}upstream`
  return [
    { ...NOTHING, kind: 'pipeline', key, depth, root, opens: pipeline },
    ...pipelineBoxes(shape, pipeline, { ...container, prefix: `${key}/` }),
  ]
}

/** The stages and jobs of a pipeline that is open in place, one level deeper. */
function pipelineBoxes(
  shape: GraphShape,
  of: LinkedPipeline | undefined,
  container: Container,
): UnplacedBox[] {
  const pipeline = of && shape.pipelines?.get(of.id)
  if (!of || !pipeline) return []
  const inside = { ...container, depth: container.depth + 1, above: new Set([...container.above, of.id]) }
  const { prefix, depth } = inside
  const line = (kind: 'stage' | 'note', text: string, status?: string): UnplacedBox => ({
    ...NOTHING,
    kind,
    key: `${prefix}${kind} ${text}`,
    depth,
    root: container.root,
    text,
    status,
  })
  if (typeof pipeline === 'string') return [line('note', pipeline)]
  const { upstream, stages } = pipeline
  return [
    ...(upstream && !inside.above.has(upstream.id) ? linkBoxes(shape, upstream, inside) : []),
    ...stages.flatMap(({ name, status, groups }) => [
      line('stage', name, status),
      ...groups.flatMap((group) => groupBoxes(shape, group, inside)),
    ]),
  ]
}

function blocksOf(boxes: readonly Box[]): Block[] {
  const blocks: Block[] = []
  for (let start = 0; start < boxes.length; start += BLOCK_LENGTH) {
    const own = boxes.slice(start, start + BLOCK_LENGTH)
    const [first, last] = [own[0], own.at(-1)]
    if (first && last) {
      blocks.push({
        x: first.x,
        y: first.y,
        width: first.width,
        height: last.y + last.height - first.y,
        boxes: own,
      })
    }
  }
  return blocks
}

/** Whether two blocks look the same, at the same position. */
export function isSameBlock(a: Block, b: Block): boolean {
  return (
    a === b ||
    (a.x === b.x &&
      a.y === b.y &&
      a.width === b.width &&
      a.height === b.height &&
      a.boxes.length === b.boxes.length &&
      a.boxes.every((box, index) => isSameBox(box, b.boxes[index])))
  )
}

function isSameBox(a: Box, b: Box | undefined): boolean {
  return (
    a.key === b?.key &&
    a.kind === b.kind &&
    a.folded.length === b.folded.length &&
    a.status === b.status &&
    a.opens?.id === b.opens?.id &&
    a.opens?.status === b.opens?.status &&
    a.height === b.height &&
    a.job === b.job &&
    a.group?.jobs.length === b.group?.jobs.length &&
    (a.group?.jobs ?? []).every((job, index) => job === b.group?.jobs[index])
  )
}

/**
 * One SVG path with a curve for each need between boxes that are shown. The lines of groups that are folded lead to the
 * box that stands for them.
 */
export function edgePath({ boxes }: GraphLayout, { before }: Relations, keys?: ReadonlySet<string>): string {
  const byKey = new Map(boxes.flatMap((box) => keysOf(box).map((key) => [key, box] as const)))
  const curves = new Set<string>()
  for (const [key, needed] of before) {
    const to = byKey.get(key)
    if (!to || (keys && !keys.has(key))) continue
    for (const other of needed) {
      const from = byKey.get(other)
      if (!from || from === to || (keys && !keys.has(other))) continue
      curves.add(curve(from, to))
    }
  }
  return [...curves].join('')
}

function keysOf({ kind, key, folded }: Box): readonly string[] {
  return kind === 'group' ? [key] : folded
}

function curve(from: Box, to: Box): string {
  const x1 = from.x + from.width
  const y1 = from.y + BOX_HEIGHT / 2
  const x2 = to.x
  const y2 = to.y + BOX_HEIGHT / 2
  const bend = Math.min(COLUMN_GAP, Math.max(24, (x2 - x1) / 2))
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}
