import { expect } from 'vitest'

import { randomFrom } from '../../../ci/engine/support/random.js'
import { Killed, SimulatedTrain, type StoredCar } from './simulated-train.js'
import { type Change, SimulatedWorld } from './simulated-world.js'

type Random = (below: number) => number

/** How often things happen; each is one chance in so many, 0 = never. */
export interface Weather {
  broken: number
  /** That two changes break each other. */
  clash: number
  conflict: number
  repair: number
  flake: number
  kill: number
  push: number
  leave: number
}

export interface Outcome {
  /** Merge requests that came into the train; one that a flaky pipeline has dropped comes again. */
  entered: number
  dropped: number
  /** Pipelines that were created. */
  pipelines: number
  /** Of these, those that were lost because somebody pushed to the target, or a merge request has left. */
  lost: number
}

const MAX_CARS = 24
const MAX_PUSHES = 3
const MAX_STEPS = 5000

/** Runs a train with everything that can happen until it is empty, and checks the promises on the way. */
export function runRandomTrain(seed: number, weather: Weather, fixed?: { cars: number }): Outcome {
  const random = randomFrom(seed)
  const happens = (chance: number) => chance > 0 && random(chance) === 0
  const count = fixed?.cars ?? 1 + random(MAX_CARS)
  const names = Array.from({ length: count }, (_, index) => `change ${index}`)
  const pushes = Array.from({ length: MAX_PUSHES }, (_, index) => `push ${index}`)
  const changes = randomChanges(random, [...names, ...pushes], weather)
  const world = new SimulatedWorld(changes)
  const again: string[] = []
  const onDrop = (car: StoredCar, test: { reason: string; test?: number | undefined }) =>
    checkDrop(world, train, car, test, again)
  const kill = () => {
    if (happens(weather.kill)) throw new Killed()
  }
  const train: SimulatedTrain = new SimulatedTrain(world, 1 + random(24), kill, onDrop)
  const waiting = [...names]
  // Most trains begin with several merge requests at once.
  for (let first = random(count + 1); first > 0; first -= 1) train.enter(waiting.shift()!)
  for (let step = 0; ; step += 1) {
    if (step === MAX_STEPS) throw new Error('The train does not end')
    turn(train)
    if (!world.isGreen(world.changesIn(world.target))) throw new Error('The target branch is red')
    const active = train.read().cars.filter(({ state }) => state === 'active')
    const running = world.pipelines.filter(({ status }) => status === 'running')
    if (active.length === 0 && waiting.length + again.length === 0) break
    if (happens(weather.push)) pushIfGreen(world, pushes)
    else if (happens(weather.leave)) leave(train, active[random(Math.max(1, active.length))])
    else if (again.length > 0) train.enter(again.shift()!)
    else if (waiting.length > 0 && (running.length === 0 || random(3) === 0)) train.enter(waiting.shift()!)
    else if (running.length > 0) world.finish(running[random(running.length)]!, happens(weather.flake))
  }
  return outcomeOf(world, train)
}

function turn(train: SimulatedTrain): void {
  for (;;) {
    try {
      train.turn()
      return
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }
}

function randomChanges(random: Random, names: readonly string[], weather: Weather): Map<string, Change> {
  const some = (chance: number, besides: string) =>
    new Set(names.filter((name) => chance > 0 && name !== besides && random(chance) === 0))
  return new Map(
    names.map((name) => [
      name,
      {
        isBroken: name.startsWith('change') && weather.broken > 0 && random(weather.broken) === 0,
        breaks: some(weather.clash, name),
        conflicts: some(weather.conflict, name),
        repairs: some(weather.repair, name),
      },
    ]),
  )
}

/** A push from outside may not break the target alone: then no train could help. */
function pushIfGreen(world: SimulatedWorld, pushes: string[]): void {
  const change = pushes.shift()
  if (change === undefined) return
  if (world.isGreen([...world.changesIn(world.target), change])) world.push(change)
}

function leave(train: SimulatedTrain, car: StoredCar | undefined): void {
  if (!car) return
  train.write(({ cars }) => {
    cars.find(({ id }) => id === car.id)!.state = 'left'
  })
}

/** Only a car that cannot be merged into the target branch at this moment is dropped, unless its pipeline was flaky. */
function checkDrop(
  world: SimulatedWorld,
  train: SimulatedTrain,
  { change }: StoredCar,
  { reason, test }: { reason: string; test?: number | undefined },
  again: string[],
): void {
  const merged = world.merge(world.target, change)
  if (reason === 'conflict') {
    expect(merged).toBeUndefined()
    return
  }
  const { pipeline } = train.read().tests.find(({ id }) => id === test)!
  const isFlaky = world.pipelines[pipeline!]!.isFlaky
  if (isFlaky) again.push(change)
  else expect(world.isGreen(world.changesIn(merged!))).toBe(false)
}

function outcomeOf(world: SimulatedWorld, train: SimulatedTrain): Outcome {
  const { entered, dropped, excused } = train.counts()
  const merged = train.read().cars.filter(({ state }) => state === 'merged')
  const inOrder = merged.map(({ change }) => change)
  expect(world.changesIn(world.target).filter((name) => name.startsWith('change'))).toEqual(inOrder)
  return { entered, dropped, pipelines: world.pipelines.length, lost: excused }
}
