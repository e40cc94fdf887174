import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { openForFile } from '../../support/lifetime.js'
import { sampled } from '../../support/nightly.js'
import { startGitServer } from './git-server.js'
import type { Cut } from './truncated-response.js'
import { openWorkspace, prepare } from './workspaces.js'

/** What a fetch asks for: what the server can do, what the refs point at, the objects. */
const REQUESTS = [1, 2, 3]
const PLACES = ['before the response', 'after its head', 'in its middle', 'before its last byte'] as const
const ENDS = ['closed', 'reset'] as const

const CUTS: Cut[] = REQUESTS.flatMap((request) =>
  PLACES.flatMap((place) => ENDS.map((end) => ({ request, place, end }))),
)

const served = openForFile(async () => {
  const server = await startGitServer()
  return { server, sha: await server.commit('echo one > file; head -c 100000 /dev/urandom > large') }
})

// Four of them have each request, place and end among them.
test.each(sampled(CUTS, 4))('a fetch is repeated when request $request is $end $place', async (cut) => {
  const { server, sha } = served()
  const { workspace, work } = await openWorkspace()
  const wasCut = server.cut(cut)
  await prepare(workspace, server, sha)
  await wasCut
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
})
