import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { EngineWatch } from '../../../src/runner/executor/engine-watch.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a watch that is stopped while the engine is asked ends without another attempt', async () => {
  const end = new AbortController()
  const problem = vi.fn(async () => {
    end.abort()
    return 'The engine is away.'
  })
  const watch = new EngineWatch({
    executor: () => ({ disconnected: async () => {} }),
    problem,
    effects: { ofProblem: 'No jobs.', ofEnd: 'Jobs again.' },
    logger: () => createLogger('test', 'silent'),
  })
  await watch.run(end.signal)
  expect(problem).toHaveBeenCalledOnce()
  expect(watch.gate.reason).toBe('The engine is away.')
})
