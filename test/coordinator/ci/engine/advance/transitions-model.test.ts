import { expect, test } from 'vitest'

import { progressOfStates } from '../../../../../src/coordinator/ci/engine/advance/progress-of-states.js'
import { readyDependents } from '../../../../../src/coordinator/ci/engine/advance/ready-dependents.js'
import {
  type GraphJob,
  nextTransitions,
} from '../../../../../src/coordinator/ci/engine/advance/transitions.js'
import type { JobStatus } from '../../../../../src/coordinator/database/tables/job-columns.js'
import { afterTransitions, drawGraph, type Drawing } from '../support/graph.js'
import { randomFrom } from '../support/random.js'

const WHENS = ['on_success', 'on_success', 'on_failure', 'always', 'manual'] as const
const ENDS = ['success', 'success', 'success', 'failed', 'canceled'] as const

function randomPipeline(random: (below: number) => number): GraphJob[] {
  const drawing: Drawing = {}
  const count = 1 + random(10)
  for (let index = 0; index < count; index++) {
    const earlier = Object.keys(drawing)
    drawing[`job${index}`] = {
      stage: Math.floor((index * 4) / count),
      when: WHENS[random(WHENS.length)]!,
      allowFailure: random(3) === 0,
      needs: random(3) === 0 ? earlier.filter(() => random(3) === 0) : undefined,
    }
  }
  return drawGraph(drawing)
}

const ALIVE: JobStatus[] = ['pending', 'running', 'canceling']

test.each(Array.from({ length: 300 }, (_, seed) => seed))('random pipeline %i comes to its end', (seed) => {
  const random = randomFrom(seed)
  let graph = randomPipeline(random)
  for (let step = 0; ; step++) {
    expect(step).toBeLessThan(100)
    const progress = nextTransitions(graph)
    for (const { from } of progress.transitions) expect(from).toBe('created')
    graph = afterTransitions(graph, progress)
    expect(nextTransitions(graph).transitions).toEqual([])
    expect(nextTransitions(graph).pipeline).toBe(progress.pipeline)
    expect(statusFits(graph, progress.pipeline)).toBe(true)

    const alive = graph.filter(({ status }) => ALIVE.includes(status))
    const next = alive[random(Math.max(1, alive.length))] ?? playable(graph)
    if (!next) break
    next.status = statusAfter(next.status, random)
    if (next.status === 'success') expectSameWithoutGraph(graph, next)
  }
  // Only a blocking manual job may leave others waiting; none is left here, for all were played.
  expect(graph.filter(({ status }) => status === 'created')).toEqual([])
})

/** What is computed after a success without the graph is what the graph says, or is left to the graph. */
function expectSameWithoutGraph(graph: GraphJob[], job: GraphJob): void {
  const progress = progressOfStates(graph)
  const ready = readyDependents(
    graph
      .filter(({ status, needs, schedulingType }) => {
        return status === 'created' && schedulingType === 'dag' && needs.includes(job.name)
      })
      .map(({ id, when, needs }) => {
        return { id, when, isSpecial: false, needed: graph.filter(({ name }) => needs.includes(name)) }
      }),
  )
  if (!progress || !ready) return
  const whole = nextTransitions(graph)
  expect(whole.transitions.map(({ jobId }) => jobId).sort()).toEqual([...ready].sort())
  for (const { to } of whole.transitions) expect(to).toBe('pending')
  const { stages, symbols } = whole
  expect(progressOfStates(afterTransitions(graph, whole))).toEqual({ stages, symbols })
}

function playable(graph: GraphJob[]): GraphJob | undefined {
  return graph.find(({ status }) => status === 'manual')
}

function statusAfter(status: JobStatus, random: (below: number) => number): JobStatus {
  if (status === 'manual') return 'pending'
  return status === 'pending' ? 'running' : ENDS[random(ENDS.length)]!
}

/** What must hold of every pipeline, said without the rules of the composite status. */
function statusFits(graph: GraphJob[], pipeline: JobStatus | undefined): boolean {
  const isAlive = graph.some(({ status }) => ALIVE.includes(status))
  const mayNotFail = graph.filter(({ allowFailure }) => !allowFailure)
  switch (pipeline) {
    case 'success':
    case 'skipped':
    case 'failed':
    case 'canceled': {
      const hasFailed = mayNotFail.some(({ status }) => status === 'failed')
      return !isAlive && hasFailed === (pipeline === 'failed')
    }
    case 'manual':
      return !isAlive && mayNotFail.some(({ status }) => status === 'manual')
    default:
      return isAlive
  }
}
