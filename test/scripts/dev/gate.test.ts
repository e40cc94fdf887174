import { expect, test } from 'vitest'

import { Gate } from '../../../scripts/dev/gate.mjs'

test('callers wait until the gate opens, and pass while it is open', async () => {
  const gate = new Gate()
  const passed: string[] = []
  const first = gate.passage().then(() => passed.push('first'))
  await Promise.resolve()
  expect(passed).toEqual([])
  gate.open()
  await first
  await gate.passage()
  expect(passed).toEqual(['first'])
})

test('a gate that is closed again lets nobody pass until it opens', async () => {
  const gate = new Gate()
  gate.open()
  gate.close()
  const waiting = gate.passage().then(() => 'passed')
  await expect(Promise.race([waiting, Promise.resolve('waits')])).resolves.toBe('waits')
  gate.open()
  await expect(waiting).resolves.toBe('passed')
})

test('a failure is for all callers until the gate opens', async () => {
  const gate = new Gate()
  const waiting = gate.passage()
  gate.fail(new Error('it did not start'))
  await expect(waiting).rejects.toThrow('it did not start')
  await expect(gate.passage()).rejects.toThrow('it did not start')
  gate.open()
  await gate.passage()
})
