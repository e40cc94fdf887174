import { expect, test } from 'vitest'

import { bridgeStatus } from '../../../../../src/coordinator/ci/engine/downstream/bridge-status.js'
import type { CompositeStatus } from '../../../../../src/coordinator/database/tables/pipelines.js'

/** CI language, 13.4, and every status that the table calls others. */
const TABLE: [CompositeStatus, depend: string, mirror: string][] = [
  ['created', 'running', 'running'],
  ['waiting_for_resource', 'running', 'running'],
  ['preparing', 'running', 'running'],
  ['waiting_for_callback', 'running', 'running'],
  ['pending', 'running', 'running'],
  ['running', 'running', 'running'],
  ['success', 'success', 'success'],
  ['failed', 'failed', 'failed'],
  ['canceling', 'running', 'running'],
  ['canceled', 'canceled', 'canceled'],
  ['skipped', 'failed', 'skipped'],
  ['manual', 'running', 'manual'],
  ['scheduled', 'running', 'running'],
]

test.each(TABLE)(
  'a downstream pipeline that is %s makes its trigger job %s or %s',
  (status, depend, mirror) => {
    expect(bridgeStatus('depend', status)).toBe(depend)
    expect(bridgeStatus('mirror', status)).toBe(mirror)
    expect(bridgeStatus('none', status)).toBe('success')
  },
)
