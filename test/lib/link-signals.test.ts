import { getEventListeners } from 'node:events'

import { expect, onTestFinished, test, vi } from 'vitest'

import { linkSignals } from '../../src/lib/link-signals.js'

test('a linked signal aborts with its first aborted source and with its reason', () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const linked = linkSignals(first.signal, second.signal)
  second.abort('second')
  first.abort('first')
  expect(linked.signal.reason).toBe('second')
})

test('an already aborted source aborts the linked signal immediately', () => {
  expect(linkSignals(new AbortController().signal, AbortSignal.abort('over')).signal.reason).toBe('over')
})

test('releasing a linked signal removes its listeners', () => {
  const source = new AbortController()
  const linked = linkSignals(source.signal)
  linked.release()
  source.abort()
  expect(linked.signal.aborted).toBe(false)
  expect(getEventListeners(source.signal, 'abort')).toEqual([])
})

test('a source may have any number of linked signals without a warning', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const { signal } = new AbortController()
  for (let count = 0; count < 20; count++) linkSignals(signal)
  expect(warn).not.toHaveBeenCalled()
  const other = new AbortController().signal
  for (let count = 0; count < 20; count++) other.addEventListener('abort', () => count)
  expect(warn).toHaveBeenCalledOnce()
})
