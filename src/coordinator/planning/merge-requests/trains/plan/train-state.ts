/** A merge request in a train. */
export interface Car {
  id: number
  /** The latest merged result of this car; undefined before the first one. */
  built: MergedResult | undefined
}

interface MergedResult {
  /** The commit on which the car was merged: the target branch, or the merged result of the car before. */
  parent: string
  /** The merged result; undefined if the car conflicts with `parent`. */
  commit: string | undefined
}

/** A pipeline for the merged result of a car, which tests this car and all cars before it. */
export interface TrainTest {
  id: number
  commit: string
  status: 'running' | 'passed' | 'failed' | 'canceled'
}

/** What has happened since the train was empty. */
export interface TrainCounts {
  entered: number
  merged: number
  /** Cars that the planner has dropped. */
  dropped: number
  /** Cars that have left for reasons outside of the train, such as a push to their branch. */
  left: number
  /** Pipelines started. */
  started: number
  /** Pipelines that were lost because of events outside of the train: a push to the target, a car that left. */
  excused: number
}

/** All that the planner knows. */
export interface TrainState {
  /** Head of the target branch. */
  target: string
  /** In the order in which they are merged. */
  cars: readonly Car[]
  /** Tests of the cars that are in the train. */
  tests: readonly TrainTest[]
  counts: TrainCounts
  /** Maximum number of pipelines that run at the same time. */
  limit: number
}

export type TrainAction =
  /** Merge the car into `parent`, and store the result. */
  | { kind: 'build'; car: number; parent: string }
  /** Start a pipeline for the merged result of the car. */
  | { kind: 'start'; car: number; commit: string }
  | { kind: 'cancel'; test: number }
  | { kind: 'drop'; car: number; reason: 'conflict' | 'failed'; test?: number | undefined }
  /** Move the target branch from `from` to `commit`, which merges these cars. */
  | { kind: 'merge'; cars: number[]; from: string; commit: string; test: number }
