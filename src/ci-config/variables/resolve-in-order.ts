export interface Resolver<T> {
  /** The nodes that a node refers to. */
  next(node: T): Iterable<T>
  isResolved(node: T): boolean
  /** Called after all nodes that the node refers to are resolved, or are in a cycle with it. */
  resolve(node: T): void
  /** Called for a cycle with its nodes; each refers to the next, and the last to the first. */
  circle?(nodes: T[]): void
}

/** Resolves a node after all nodes that it refers to. Iterative, because a chain may be as long as the file. */
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
