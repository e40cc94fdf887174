/** Events in the order of their times. What an event does may add others. */
export class Simulation {
  /**
   * @param {object} options
   * @param {number} options.end in milliseconds since 1970; later events never happen
   * @param {(time: number) => Promise<void>} options.setTime of the coordinator
   * @param {AbortSignal} options.signal ends the run
   */
  constructor({ end, setTime, signal }) {
    this.end = end
    this.setTime = setTime
    this.signal = signal
    this.now = 0
    /** @type {{ time: number, act: () => Promise<unknown> }[]} a heap: the parent of each event is not later */
    this.events = []
  }

  /**
   * @param {number} time
   * @param {() => Promise<unknown>} act
   */
  at(time, act) {
    const { events } = this
    let index = events.length
    const event = { time, act }
    events.push(event)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = events[parent]
      if (!above || above.time <= time) break
      events[index] = above
      index = parent
    }
    events[index] = event
  }

  async run() {
    for (;;) {
      this.signal.throwIfAborted()
      const event = this.take()
      if (!event || event.time > this.end) break
      this.now = Math.max(this.now, event.time)
      await this.setTime(this.now)
      await event.act()
    }
    this.now = this.end
    await this.setTime(this.end)
  }

  take() {
    const { events } = this
    const first = events[0]
    const last = events.pop()
    if (!first || !last || events.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      const [left, right] = [events[child], events[child + 1]]
      if (!left) break
      if (right && right.time < left.time) child++
      const below = /** @type {typeof last} */ (events[child])
      if (below.time >= last.time) break
      events[index] = below
      index = child
    }
    events[index] = last
    return first
  }
}
