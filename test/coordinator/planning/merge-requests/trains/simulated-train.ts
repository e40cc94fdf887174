import { chainOf } from '../../../../../src/coordinator/planning/merge-requests/trains/plan/chain.js'
import { planTrain } from '../../../../../src/coordinator/planning/merge-requests/trains/plan/plan-train.js'
import type {
  Car,
  TrainAction,
  TrainCounts,
  TrainState,
  TrainTest,
} from '../../../../../src/coordinator/planning/merge-requests/trains/plan/train-state.js'
import type { SimulatedWorld } from './simulated-world.js'

export interface StoredCar extends Car {
  change: string
  state: 'active' | 'merged' | 'dropped' | 'left'
}

interface StoredTest {
  id: number
  commit: string
  /** The last car that it tests. */
  car: number
  /** Number of the pipeline; undefined = it is not known yet whether one was created. */
  pipeline: number | undefined
  /** Whether it still counts: `lost` = because of something outside of the train. */
  state: 'open' | 'spent' | 'lost'
}

/** What the database has. Each change of it is one transaction. */
export interface Stored {
  cars: StoredCar[]
  tests: StoredTest[]
}

/** Ends the coordinator at this moment. */
export class Killed extends Error {}

/** The coordinator of a simulated train: it keeps nothing but what is stored, and may be killed before each step. */
export class SimulatedTrain {
  private readonly stored: Stored = { cars: [], tests: [] }

  constructor(
    private readonly world: SimulatedWorld,
    private readonly limit: number,
    /** Throws `Killed` when it is time. */
    private readonly mayBeKilled: () => void,
    private readonly onDrop: (car: StoredCar, action: TrainAction & { kind: 'drop' }) => void,
  ) {}

  read(): Readonly<Stored> {
    return this.stored
  }

  /** One transaction. */
  write(change: (stored: Stored) => void): void {
    change(this.stored)
  }

  enter(change: string): void {
    this.write(({ cars }) => cars.push({ id: cars.length + 1, change, state: 'active', built: undefined }))
  }

  counts(): TrainCounts {
    const { cars, tests } = this.read()
    const inState = (state: StoredCar['state']) => cars.filter((car) => car.state === state).length
    return {
      entered: cars.length,
      merged: inState('merged'),
      dropped: inState('dropped'),
      left: inState('left'),
      started: tests.length,
      excused: tests.filter(({ state }) => state === 'lost').length,
    }
  }

  /** Performs actions until there is nothing to do. */
  turn(): void {
    for (let count = 0; ; count += 1) {
      if (count > 2000) throw new Error(`The train does not come to rest: ${JSON.stringify(this.stored)}`)
      this.finishInterrupted()
      const actions = planTrain(this.state())
      if (actions.length === 0) return
      for (const action of actions) this.perform(action)
    }
  }

  private state(): TrainState {
    const { cars, tests } = this.read()
    const active = cars.filter(({ state }) => state === 'active')
    const open = tests.filter(({ state }) => state === 'open').map((test) => this.seen(test))
    return { target: this.world.target, cars: active, tests: open, counts: this.counts(), limit: this.limit }
  }

  private seen({ id, commit, pipeline }: StoredTest): TrainTest {
    const status = pipeline === undefined ? 'running' : this.world.pipelines[pipeline]!.status
    return { id, commit, status: status === 'success' ? 'passed' : status }
  }

  /** Completes what a kill has left half done, and gives up tests of commits that nobody wants any more. */
  private finishInterrupted(): void {
    const inTarget = new Set(this.world.changesIn(this.world.target))
    this.write(({ cars }) => {
      for (const car of cars) if (car.state === 'active' && inTarget.has(car.change)) car.state = 'merged'
    })
    const { detached } = chainOf(this.state())
    this.write(({ tests, cars }) => {
      for (const test of tests.filter(({ id }) => detached.some((gone) => gone.id === id))) {
        const isMerged = cars.some(({ id, state }) => id === test.car && state === 'merged')
        test.state = isMerged ? 'spent' : 'lost'
        const pipeline = test.pipeline === undefined ? undefined : this.world.pipelines[test.pipeline]
        if (pipeline?.status === 'running') pipeline.status = 'canceled'
      }
    })
    for (const test of this.read().tests) {
      if (test.pipeline === undefined && test.state === 'open') this.createPipeline(test)
    }
  }

  private perform(action: TrainAction): void {
    this.mayBeKilled()
    switch (action.kind) {
      case 'build':
        return this.build(action)
      case 'start':
        return this.start(action)
      case 'cancel':
        return this.cancel(action)
      case 'drop':
        return this.drop(action)
      case 'merge':
        return this.merge(action)
    }
  }

  private build({ car: id, parent }: TrainAction & { kind: 'build' }): void {
    const { change } = this.read().cars.find((car) => car.id === id)!
    const commit = this.world.merge(parent, change)
    this.mayBeKilled()
    this.write(({ cars }) => {
      cars.find((car) => car.id === id)!.built = { parent, commit }
    })
  }

  private start({ car, commit }: TrainAction & { kind: 'start' }): void {
    const id = this.read().tests.length + 1
    const test: StoredTest = { id, commit, car, pipeline: undefined, state: 'open' }
    this.write(({ tests }) => tests.push(test))
    this.mayBeKilled()
    this.createPipeline(test)
  }

  private createPipeline({ id, commit }: StoredTest): void {
    const pipeline = this.world.start(`test ${id}`, commit)
    this.mayBeKilled()
    this.write(({ tests }) => {
      tests.find((test) => test.id === id)!.pipeline = pipeline
    })
  }

  private cancel({ test: id }: TrainAction & { kind: 'cancel' }): void {
    const { pipeline } = this.read().tests.find((test) => test.id === id)!
    this.world.pipelines[pipeline!]!.status = 'canceled'
  }

  /** The tests of the car and of those behind it are spent: the car pays for them. */
  private drop(action: TrainAction & { kind: 'drop' }): void {
    this.write(({ cars, tests }) => {
      const car = cars.find(({ id }) => id === action.car)!
      this.onDrop(car, action)
      car.state = 'dropped'
      for (const test of tests) {
        if (test.state !== 'open') continue
        test.state = 'spent'
        const pipeline = this.world.pipelines[test.pipeline!]!
        if (pipeline.status === 'running') pipeline.status = 'canceled'
      }
    })
  }

  private merge({ cars: merged, from, commit }: TrainAction & { kind: 'merge' }): void {
    if (!this.world.fastForward(from, commit)) return
    this.mayBeKilled()
    this.write(({ cars }) => {
      for (const car of cars) if (merged.includes(car.id)) car.state = 'merged'
    })
  }
}
