import { encodePng } from '../../lib/png.js'

/** Edge length, in pixels. */
const SIZE = 32
/** Samples along each edge of a pixel, for smooth borders. */
const SAMPLES = 4
const CENTER = SIZE / 2
const RADIUS = 15
const STROKE = 3.4

type Point = readonly [x: number, y: number]

interface Icon {
  color: readonly [red: number, green: number, blue: number]
  /** White lines on a disc, each as the points of a polyline of SVG. */
  lines: readonly string[]
}

const GREEN = [26, 138, 74] as const
const RED = [209, 55, 43] as const
const BLUE = [47, 118, 216] as const
const AMBER = [194, 122, 18] as const
const GREY = [107, 118, 134] as const
const BAR = ['10,22 22,10']
const DOTS = ['10,16 10,16', '16,16 16,16', '22,16 22,16']
const CLOCK = ['16,9 16,16 21,19']

const ICONS: Record<string, Icon> = {
  success: { color: GREEN, lines: ['9.5,16.5 14,21 22.5,11.5'] },
  failed: { color: RED, lines: ['11,11 21,21', '21,11 11,21'] },
  running: { color: BLUE, lines: CLOCK },
  pending: { color: AMBER, lines: ['13,10 13,22', '19,10 19,22'] },
  warning: { color: AMBER, lines: ['16,9 16,17', '16,22.5 16,22.5'] },
  canceled: { color: GREY, lines: BAR },
  canceling: { color: GREY, lines: BAR },
  skipped: { color: GREY, lines: ['10,10 16,16 10,22', '17,10 23,16 17,22'] },
  manual: { color: GREY, lines: ['13,10 21,16 13,22 13,10'] },
  scheduled: { color: GREY, lines: CLOCK },
  created: { color: GREY, lines: DOTS },
  preparing: { color: GREY, lines: DOTS },
  waiting_for_callback: { color: AMBER, lines: DOTS },
  not_found: { color: GREY, lines: ['11,16 21,16'] },
}

const drawn = new Map<string, Buffer>()

/** The picture of a status, as PNG; undefined for what is no status. */
export function statusIcon(status: string): Buffer | undefined {
  const icon = Object.hasOwn(ICONS, status) ? ICONS[status] : undefined
  if (!icon) return undefined
  const known = drawn.get(status)
  if (known) return known
  const png = encodePng(SIZE, SIZE, pixelsOf(icon))
  drawn.set(status, png)
  return png
}

function pixelsOf({ color, lines }: Icon): Uint8Array {
  const pixels = new Uint8Array(SIZE * SIZE * 4)
  const polylines = lines.map(pointsOf)
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const disc = covered(x, y, ([px, py]) => Math.hypot(px - CENTER, py - CENTER) <= RADIUS)
      const line = covered(x, y, (point) => polylines.some((one) => isOn(one, point)))
      const channels = color.map((value) => Math.round(value + (255 - value) * line))
      pixels.set([...channels, Math.round(disc * 255)], (y * SIZE + x) * 4)
    }
  }
  return pixels
}

function pointsOf(line: string): Point[] {
  return line.split(' ').map((pair) => {
    const [x, y] = pair.split(',').map(Number)
    return [x ?? 0, y ?? 0]
  })
}

/** The share of a pixel that a shape covers. */
function covered(x: number, y: number, isInside: (point: Point) => boolean): number {
  let count = 0
  for (let row = 0; row < SAMPLES; row += 1)
    for (let column = 0; column < SAMPLES; column += 1)
      if (isInside([x + (column + 0.5) / SAMPLES, y + (row + 0.5) / SAMPLES])) count += 1
  return count / SAMPLES ** 2
}

function isOn(line: readonly Point[], point: Point): boolean {
  return line.slice(1).some((end, index) => distance(point, line[index] ?? end, end) <= STROKE / 2)
}

/** The distance from a point to a line between two points. */
function distance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - along * dx, y - ay - along * dy)
}
