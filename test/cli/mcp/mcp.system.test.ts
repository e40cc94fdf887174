import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test } from 'vitest'

import { pushPipeline, startCiCoordinator } from '../../coordinator/support/ci-coordinator.js'
import { runSwitchyard, SWITCHYARD } from '../../integration/support/processes.js'
import { onFinished } from '../../support/lifetime.js'

test('a program calls the tools of a server over standard input and output', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, project } = coordinator
  const pipeline = await pushPipeline(coordinator, 'unit: { script: make }\n')
  const client = new Client({ name: 'test', version: '1' })
  const { origin } = new URL(coordinator.url)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [SWITCHYARD, 'mcp', '--server', origin],
      env: { SWITCHYARD_TOKEN: admin.token },
    }),
  )
  onFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.find(({ name }) => name === 'pipeline_jobs')).toMatchObject({
    annotations: { readOnlyHint: true },
  })
  const { content } = await client.callTool({
    name: 'pipeline_jobs',
    arguments: { project: project.full_path, pipeline: pipeline.id },
  })
  expect(content).toMatchObject([{ text: expect.stringContaining('"name":"unit"') as string }])
})

test.each([
  ['without a token', [], 'Give a token with the scope mcp in SWITCHYARD_TOKEN'],
  [
    'to another machine without encryption',
    ['--token', 'secret'],
    'A token would be sent to http://ci.example.com unencrypted',
  ],
])('it refuses to start %s', async (_case, args, message) => {
  const { exitCode, stderr } = await runSwitchyard(['mcp', '--server', 'http://ci.example.com', ...args])
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)])
})
