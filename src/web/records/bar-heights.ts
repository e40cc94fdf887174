/**
 * Heights of bars for durations, in pixels. They grow with the square root, so that one long pipeline does not flatten all
 * others.
 * @param durations in seconds; null for a pipeline of which no job ran
 */
export function barHeights(durations: readonly (number | null)[], least: number, most: number): number[] {
  const longest = Math.max(0, ...durations.map((duration) => duration ?? 0))
  return durations.map((duration) => {
    // The clock of the reader may be behind that of the server.
    if (duration === null || duration <= 0) return least
    return Math.round(least + (most - least) * Math.sqrt(duration / longest))
  })
}

/** How the end of a bar tells its status without a color. */
export type BarShape = 'round' | 'pointed' | 'slanted' | 'hollow'

const SHAPES: Record<string, BarShape> = { success: 'round', failed: 'pointed', warning: 'slanted' }

export function barShape(status: string): BarShape {
  return SHAPES[status] ?? 'hollow'
}

/** The outline of a bar that stands on the line `bottom`, as the path of an SVG element. */
export function barPath(
  shape: BarShape,
  { x, width, height, bottom }: { x: number; width: number; height: number; bottom: number },
): string {
  const right = x + width
  const top = bottom - height
  const shoulder = Math.min(bottom, top + Math.min(4, height))
  if (shape === 'pointed') {
    return `M${x} ${bottom}V${shoulder}L${x + width / 2} ${top}L${right} ${shoulder}V${bottom}Z`
  }
  if (shape === 'slanted') return `M${x} ${bottom}V${shoulder}L${right} ${top}V${bottom}Z`
  const radius = Math.min(2, height)
  return `M${x} ${bottom}V${top + radius}Q${x} ${top} ${x + radius} ${top}H${right - radius}Q${right} ${top} ${right} ${top + radius}V${bottom}Z`
}

/** "20 pipelines: 18 passed, 2 failed": the bars in words. */
export function barsInWords(labels: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  const parts = [...counts].map(([label, count]) => `${count} ${label}`)
  return `${labels.length} ${labels.length === 1 ? 'pipeline' : 'pipelines'}: ${parts.join(', ')}`
}
