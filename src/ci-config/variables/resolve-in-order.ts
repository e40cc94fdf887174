export interface Resolver<T> {
  /** What a node refers to. */
  next(node: T): Iterable<T>
  isResolved(node: T): boolean
  /** Called once everything that the node refers to is resolved, or stands in a circle with it. */
  resolve(node: T): void
  /** Told of a circle: its nodes, each referring to the next, the last one to the first. */
  circle?(nodes: T[]): void
}

/** Settles a node after all that it refers to. Without recursion: a chain may be as long as the file. */
export function resolveInOrder<T>(start: T, resolver: Resolver<T>): void {
  const path: { node: T; rest: Iterator<T> }[] = []
  const positions = new Map<T, number>()
  enter(start)
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const step = top.rest.next()
    if (step.done) leave(top.node)
    else enter(step.value)
  }

  function enter(node: T): void {
    const position = positions.get(node)
    if (position !== undefined) {
      resolver.circle?.(path.slice(position).map((entry) => entry.node))
    } else if (!resolver.isResolved(node)) {
      positions.set(node, path.length)
      path.push({ node, rest: resolver.next(node)[Symbol.iterator]() })
    }
  }

  function leave(node: T): void {
    path.pop()
    positions.delete(node)
    resolver.resolve(node)
  }
}
