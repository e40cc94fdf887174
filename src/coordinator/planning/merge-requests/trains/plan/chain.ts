import type { Car, TrainState, TrainTest } from './train-state.js'

/** A test whose commit is the target branch with the first `position` cars. */
export interface PlacedTest extends TrainTest {
  /** Number of cars that it tests. */
  position: number
}

/** The cars whose merged results follow each other from the target branch, and the tests of these results. */
export interface Chain {
  /** Merged results by position: the first one is of the first car. */
  commits: string[]
  /** Position of the first car that conflicts with what is before it; undefined = none is known. */
  conflict: number | undefined
  /** By position, the shortest one first. */
  tests: PlacedTest[]
  /** Tests of anything else: the target branch has moved, or a car has left. */
  detached: TrainTest[]
}

export function chainOf({ target, cars, tests }: Pick<TrainState, 'target' | 'cars' | 'tests'>): Chain {
  const { commits, conflict } = followingCommits(target, cars)
  const positions = new Map(commits.map((commit, index) => [commit, index + 1]))
  const placed = tests.flatMap((test) => {
    const position = positions.get(test.commit)
    return position === undefined ? [] : [{ ...test, position }]
  })
  return {
    commits,
    conflict,
    tests: placed.toSorted((a, b) => a.position - b.position || a.id - b.id),
    detached: tests.filter(({ commit }) => !positions.has(commit)),
  }
}

function followingCommits(target: string, cars: readonly Car[]): Pick<Chain, 'commits' | 'conflict'> {
  const commits: string[] = []
  for (const { built } of cars) {
    if (built?.parent !== (commits.at(-1) ?? target)) break
    if (built.commit === undefined) return { commits, conflict: commits.length + 1 }
    commits.push(built.commit)
  }
  return { commits, conflict: undefined }
}
