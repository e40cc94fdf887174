import { randomUUID } from 'node:crypto'

import { expect, test } from 'vitest'

import { Service } from '../../conformance/support/service.js'
import { webServer } from '../../coordinator/egress/web-server.js'
import { openForFile } from '../../support/lifetime.js'
import { sampled } from '../../support/nightly.js'

const shared = openForFile(() => Service.start())

/** Ways to write this machine. */
const HOSTS = [
  '127.0.0.1',
  'localhost',
  '0x7f.1',
  '2130706433',
  'LOCALHOST.',
  '[::ffff:7f00:1]',
  '0177.0.0.1',
  '0.0.0.0',
]

interface Attempt {
  service: Service
  project: { id: number }
  url: string
}

/** Every feature that sends a request to an address which a user gives. Each returns how the attempt was refused. */
const FEATURES: Record<string, (attempt: Attempt) => Promise<unknown>> = {
  'a web hook of a project': async ({ service, project, url }) => {
    const hooks = `/projects/${project.id}/hooks`
    const response = await service.fetch('POST', hooks, { body: { url }, as: service.root })
    if (response.status !== 201) return response.text()
    const { id } = (await response.json()) as { id: number }
    const tried = await service.fetch('POST', `${hooks}/${id}/test/push_events`, { as: service.root })
    return tried.text()
  },
  'a web hook of a group': async ({ service, url }) => {
    const group = { name: 'team', path: `team-${randomUUID()}` }
    const { id } = await service.json<{ id: number }>('POST', '/groups', group)
    const hooks = `/groups/${id}/hooks`
    const response = await service.fetch('POST', hooks, { body: { url }, as: service.root })
    if (response.status !== 201) return response.text()
    const hook = (await response.json()) as { id: number }
    const tried = await service.fetch('POST', `${hooks}/${hook.id}/test/member_events`, { as: service.root })
    return tried.text()
  },
  'a remote mirror': ({ service, project, url }) =>
    refusalOf(service, 'POST', `/projects/${project.id}/remote_mirrors`, { url: `${url}/x.git` }),
  'an import': ({ service, url }) =>
    refusalOf(service, 'POST', '/projects', { name: 'imported', import_url: `${url}/x.git` }),
  'an import of a group': ({ service, url }) =>
    refusalOf(service, 'POST', '/bulk_imports', {
      configuration: { url, access_token: 'x' },
      entities: [{ source_type: 'group_entity', source_full_path: 'a', destination_namespace: '' }],
    }),
  'a remote include of a CI file': async ({ service, project, url }) => {
    const content = `include: { remote: "${url}/ci.yml" }\njob: { script: [make] }`
    const body = await service.json<{ valid: boolean; errors: string[] }>(
      'POST',
      `/projects/${project.id}/ci/lint`,
      { content },
    )
    expect(body.valid).toBe(false)
    return body.errors.join()
  },
}

async function refusalOf(service: Service, method: string, path: string, body: object): Promise<unknown> {
  const response = await service.fetch(method, path, { body, as: service.root })
  expect([400, 422]).toContain(response.status)
  return response.text()
}

test.each(Object.entries(FEATURES))('%s reaches no address of this machine', async (_feature, attempt) => {
  const inner = await webServer((_, response) => response.end('secret'))
  const service = shared()
  const project = await service.addProject()
  for (const host of sampled(HOSTS, 3)) {
    const refusal = await attempt({ service, project, url: `http://${host}:${inner.port}` })
    expect(refusal).not.toContain('secret')
  }
  expect(inner.asked).toEqual([])
})
