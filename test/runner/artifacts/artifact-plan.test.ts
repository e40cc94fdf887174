import { expect, test } from 'vitest'

import type { JobArtifact } from '../../../src/protocol/job-payload.js'
import { isWanted, planUpload } from '../../../src/runner/artifacts/artifact-archive.js'

const VALUES = new Map([['NAME', 'thing']])

test.each<[JobArtifact, string]>([
  [{}, 'artifacts.zip'],
  [{ name: 'a/$NAME' }, 'thing.zip'],
  [{ name: '$NOTHING' }, 'default.zip'],
  [{ name: '../..' }, 'default.zip'],
  [{ name: 'junit.xml', artifact_format: 'gzip' }, 'junit.xml.gz'],
  [{ name: 'gl-code-quality-report.json', artifact_format: 'raw' }, 'gl-code-quality-report.json'],
])('%j is sent as %s', (artifact, fileName) => {
  expect(planUpload(artifact, VALUES)?.fileName).toBe(fileName)
})

test('the query contains what the job specifies and nothing else', () => {
  expect(
    planUpload({ expire_in: '1 week', artifact_type: 'junit', artifact_format: 'gzip' }, VALUES),
  ).toEqual({
    type: 'junit',
    format: 'gzip',
    fileName: 'artifacts.gz',
    query: { expireIn: '1 week', format: 'gzip', type: 'junit' },
  })
  expect(planUpload({}, VALUES)?.query).toEqual({ expireIn: undefined, format: undefined, type: undefined })
  expect(planUpload({ artifact_format: 'tarzstd' }, VALUES)).toBeUndefined()
})

test.each<[JobArtifact, boolean, boolean]>([
  [{ paths: ['a'] }, true, false],
  [{ untracked: true }, true, false],
  [{ paths: ['a'], when: 'on_failure' }, false, true],
  [{ paths: ['a'], when: 'always' }, true, true],
  [{ paths: [], when: 'always' }, false, false],
])('%j is sent after success: %j, after failure: %j', (artifact, afterSuccess, afterFailure) => {
  expect(isWanted(artifact, true)).toBe(afterSuccess)
  expect(isWanted(artifact, false)).toBe(afterFailure)
})
