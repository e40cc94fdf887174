/** One event of the engine while it pulls. */
export interface PullEvent {
  id?: string
  status?: string
  error?: string
  progressDetail?: { current?: number; total?: number }
}

const MEBIBYTE = 1024 ** 2

/** Sums the events of a pull into one line that a person can follow. */
export class PullProgress {
  private readonly layers = new Map<string, { current: number; total: number; isDone: boolean }>()

  add(event: PullEvent): void {
    if (!event.id || !event.status) return
    const layer = this.layers.get(event.id) ?? { current: 0, total: 0, isDone: false }
    if (event.status === 'Downloading') {
      layer.current = event.progressDetail?.current ?? layer.current
      layer.total = event.progressDetail?.total ?? layer.total
    } else if (event.status === 'Download complete') {
      layer.current = layer.total
    }
    layer.isDone = event.status === 'Pull complete' || event.status === 'Already exists'
    if (isAboutLayer(event.status)) this.layers.set(event.id, layer)
  }

  /** Such as `3 of 7 layers, 45.2 of 120.4 MiB`. */
  summary(): string {
    const layers = [...this.layers.values()]
    const done = layers.filter((layer) => layer.isDone).length
    const sum = (of: 'current' | 'total') => layers.reduce((total, layer) => total + layer[of], 0) / MEBIBYTE
    return `${done} of ${layers.length} layers, ${sum('current').toFixed(1)} of ${sum('total').toFixed(1)} MiB`
  }
}

/** The first event of a pull has the tag for its id. */
function isAboutLayer(status: string): boolean {
  return !status.startsWith('Pulling from')
}
