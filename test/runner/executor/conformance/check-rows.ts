import { describe, expect, test } from 'vitest'

import { readCapabilities } from '../../../../src/runner/executor/docker/capabilities/read-capabilities.js'
import { openForFile } from '../../../support/lifetime.js'
import { IS_NIGHTLY } from '../../../support/nightly.js'
import type { Expected, Row } from './row.js'
import { ROWS } from './rows/index.js'
import { RowScene } from './scene.js'
import type { RunningTarget, Target } from './target.js'

const FIRST_JOB = 124

/** Declares a test for each row. Outside of the nightly run, only those that Docker shows at each push. */
export function checkRows(target: Target): void {
  describe.skipIf(target.missing !== undefined)(titleOf(target), () => {
    const running = openForFile(() => target.start())
    for (const row of ROWS) {
      const why = row.except?.[target.name]
      if (!IS_NIGHTLY && !row.isQuick) continue
      if (why !== undefined) test.skip(`${row.behaviour} (not here: ${why})`)
      else {
        test(row.behaviour, async (context) => {
          const { needs } = row
          if (needs && !(await allEngines(running(), needs.can))) context.skip(needs.otherwise)
          await checkRow(running(), row)
        })
      }
    }
  })
}

async function allEngines(
  { engines }: RunningTarget,
  can: NonNullable<Row['needs']>['can'],
): Promise<boolean> {
  return (await Promise.all(engines.map(readCapabilities))).every(can)
}

function titleOf({ name, missing }: Target): string {
  return missing === undefined ? `jobs on ${name}` : `jobs on ${name} (not on this machine: ${missing})`
}

async function checkRow(target: RunningTarget, row: Row): Promise<void> {
  const scene = await RowScene.open(target, row)
  try {
    if (row.isProcess) scene.startProcess()
    else await scene.start()
    for (const [index, job] of row.jobs.entries()) {
      await scene.run(job, FIRST_JOB + index)
      await compare(scene, FIRST_JOB + index, job.expected)
    }
  } finally {
    const left = await scene.stop()
    await scene.removeKept()
    expect(left.filter((item) => !item.includes('-cache-'))).toEqual([])
  }
}

async function compare(scene: RowScene, id: number, expected: Expected): Promise<void> {
  const log = scene.log(id)
  const update = scene.coordinator.finalUpdate(id)
  expect(update?.state, log).toBe(expected.state)
  if (expected.reason !== undefined) expect(update?.failure_reason, log).toBe(expected.reason)
  if (expected.exitCode !== undefined) expect(update?.exit_code, log).toBe(expected.exitCode)
  for (const text of expected.log ?? []) expect(log).toMatch(text)
  for (const text of expected.notInLog ?? []) expect(log).not.toMatch(text)
  if (expected.artifact) expect(await scene.artifact(id)).toEqual(expected.artifact)
  await expected.also?.({ log, scene })
}
