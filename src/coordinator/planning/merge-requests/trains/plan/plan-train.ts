import { balanceOf, searchPay } from './budget.js'
import { type Chain, chainOf, type PlacedTest } from './chain.js'
import { nextTests } from './next-tests.js'
import type { TrainAction, TrainState } from './train-state.js'

/**
 * What a merge train does next, as plain data. Nothing to do = it waits for pipelines, or is empty. Each action changes
 * the state, so the caller performs them in order and plans again.
 *
 *     merge the longest result that has passed ── or drop the first car, if it fails on the target branch itself
 *       └─ or cancel pipelines that cannot be merged any more ── or merge cars into each other ── or start pipelines
 *
 * The target branch moves only to a commit whose own pipeline has passed. A car is dropped only if the commit of the
 * target branch with this car alone has failed, or cannot be written.
 */
export function planTrain(state: TrainState): TrainAction[] {
  const chain = chainOf(state)
  const passed = chain.tests.findLast(({ status }) => status === 'passed')
  if (passed) return [merge(state, passed)]
  const failed = chain.tests.find(({ status }) => status === 'failed')
  const dropped = dropOf(state, chain, failed)
  if (dropped) return [dropped]
  const useless = uselessTests(chain, failed)
  if (useless.length > 0) return useless.map(({ id }) => ({ kind: 'cancel', test: id }))
  return startsOf(state, chain, failed)
}

function merge({ target, cars }: TrainState, { id, commit, position }: PlacedTest): TrainAction {
  const merged = cars.slice(0, position).map((car) => car.id)
  return { kind: 'merge', cars: merged, from: target, commit, test: id }
}

function dropOf(
  { cars: [first] }: TrainState,
  { conflict }: Chain,
  failed: PlacedTest | undefined,
): TrainAction | undefined {
  if (!first) return undefined
  if (conflict === 1) return { kind: 'drop', car: first.id, reason: 'conflict' }
  return failed?.position === 1
    ? { kind: 'drop', car: first.id, reason: 'failed', test: failed.id }
    : undefined
}

/** Running tests of results that will not be merged: they contain a failing car, or are not up to date. */
function uselessTests({ tests, detached }: Chain, failed: PlacedTest | undefined) {
  const longer = tests.filter(({ position }) => failed !== undefined && position > failed.position)
  return [...detached, ...longer].filter(({ status }) => status === 'running')
}

function startsOf(state: TrainState, chain: Chain, failed: PlacedTest | undefined): TrainAction[] {
  const { counts, cars, limit } = state
  const running = chain.tests.filter(({ status }) => status === 'running').map(({ position }) => position)
  // A car that conflicts with one before it waits until that one is merged or dropped.
  const testable = chain.conflict === undefined ? cars.length : chain.conflict - 1
  const ends = nextTests({
    cars: testable,
    running,
    failed: failed?.position,
    balance: balanceOf(counts),
    pay: searchPay(counts),
    slots: limit - running.length,
  })
  const longest = ends.at(-1) ?? 0
  if (longest > chain.commits.length) return buildNext(state, chain)
  return ends.flatMap((end) => startAt(state, chain, end))
}

/** The results are written one after another, because a conflict changes the plan. */
function buildNext({ cars, target }: TrainState, { commits }: Chain): TrainAction[] {
  const next = cars[commits.length]
  return next ? [{ kind: 'build', car: next.id, parent: commits.at(-1) ?? target }] : []
}

function startAt({ cars }: TrainState, { commits }: Chain, end: number): TrainAction[] {
  const [car, commit] = [cars[end - 1], commits[end - 1]]
  return car && commit !== undefined ? [{ kind: 'start', car: car.id, commit }] : []
}
