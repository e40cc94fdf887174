import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { launchProgram, streamProgram } from '../../../src/git/launch-program.js'
import { onFinished } from '../../support/lifetime.js'
import { SERVER_HOST } from '../../support/server-host.js'
import { tempDir } from '../../support/temp-dir.js'
import { LfsStore } from './lfs-store.js'
import { type Cut, cutResponse, type GitResponse } from './truncated-response.js'

const IDENTITY = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
}

/** Commits and pushes what is in the clone, and prints the commit id. */
const COMMIT = `
git add --all
git commit --quiet --allow-empty -m change
git push --quiet origin HEAD:main
git rev-parse HEAD`

/** A repository of the server, with a clone to make commits in. */
export interface ServedRepository {
  /** With the token, as in a job's payload. */
  repoUrl: string
  work: string
  git(...args: string[]): Promise<string>
  /** Runs a shell script in the clone, commits everything, pushes; returns the commit id. */
  commit(script: string): Promise<string>
}

export interface GitServer extends ServedRepository {
  token: string
  /** Of the accepted requests. */
  userAgents: Set<string>
  /** Of all requests. */
  authorizations: Set<string>
  /** Files of Git LFS, of all repositories. */
  lfs: LfsStore
  /** The next so many requests lose their connection, as when a server is restarted. */
  breakConnections(count: number): void
  /** Cuts the connection of one of the next requests; resolves once it has. */
  cut(cut: Cut): Promise<void>
  /** Speaks the first version of git's protocol from now on, in which only what a ref points at is given out. */
  speakOldProtocol(): void
  /** Requests below a path, such as `/old/name.git`, are led to another path or to an address elsewhere. */
  redirect(from: string, to: string): void
  /** One more, at `path` such as `group/lib`. */
  addRepository(path: string): Promise<ServedRepository>
}

/** Repositories behind smart HTTP with basic auth, served by git's own CGI program; the first is `group/project`. */
export async function startGitServer(objectFormat = 'sha1', { isPublic = false } = {}): Promise<GitServer> {
  const root = await tempDir()
  const token = 'job-token-1234'
  const userAgents = new Set<string>()
  const authorizations = new Set<string>()
  const lfs = new LfsStore()
  const redirects = new Map<string, string>()
  let toBreak = 0
  let isOld = false
  let toCut: { cut: Cut; after: number; onCut: () => void } | undefined
  const server = createServer((request, response) => {
    if (toBreak > 0) {
      toBreak--
      request.socket.destroy()
      return
    }
    const { authorization } = request.headers
    if (authorization !== undefined) authorizations.add(authorization)
    if (!isPublic && authorization !== basic(token)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end()
      return
    }
    const { url = '' } = request
    const from = [...redirects.keys()].find((path) => url.startsWith(path))
    if (from !== undefined) {
      response.writeHead(301, { location: `${redirects.get(from)}${url.slice(from.length)}` }).end()
      return
    }
    userAgents.add(request.headers['user-agent'] ?? '')
    if (isOld) delete request.headers['git-protocol']
    if (toCut && toCut.after-- === 0) {
      const { cut, onCut } = toCut
      void serve(root, request, (result) => cutResponse(request.socket, result, cut)).then(onCut)
      return
    }
    void (
      lfs.handle(request, response) ||
      serve(root, request, ({ status, headers, body }) => response.writeHead(status, headers).end(body))
    )
  })
  server.listen(0, SERVER_HOST)
  await once(server, 'listening')
  onFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const origin = isPublic
    ? `http://${SERVER_HOST}:${port}`
    : `http://gitlab-ci-token:${token}@${SERVER_HOST}:${port}`
  const addRepository = (path: string) => makeRepository(root, path, origin, objectFormat)
  return {
    ...(await addRepository('group/project')),
    token,
    userAgents,
    authorizations,
    lfs,
    breakConnections: (count) => (toBreak = count),
    cut: (cut) =>
      new Promise((onCut) => {
        toCut = { cut, after: cut.request - 1, onCut }
      }),
    speakOldProtocol: () => (isOld = true),
    redirect: (from, to) => redirects.set(from, to),
    addRepository,
  }
}

async function makeRepository(
  root: string,
  path: string,
  origin: string,
  objectFormat: string,
): Promise<ServedRepository> {
  const init = ['init', '--quiet', '--initial-branch=main', `--object-format=${objectFormat}`]
  const bare = join(root, `${path}.git`)
  const work = join(root, 'clones', path)
  const git = (...args: string[]) => run(work, 'git', ...args)
  // One shell in place of several programs, which take longer to start than to do their work.
  const initBoth =
    'bare=$1; work=$2; shift 2; git "$@" --bare "$bare"; git "$@" "$work"; git -C "$work" remote add origin "$bare"'
  await run(root, 'sh', '-ec', initBoth, 'sh', bare, work, ...init)
  return {
    repoUrl: `${origin}/${path}.git`,
    work,
    git,
    commit: (script) => run(work, 'sh', '-ec', `(${script}\n) >&2\n${COMMIT}`),
  }
}

/** The output of a program that must succeed. */
async function run(cwd: string, file: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...IDENTITY }
  const program = { file, args, cwd, env, isGroup: false, maxOutputBytes: Infinity }
  const { exitCode, stdout, stderr, failure } = await launchProgram(program).ended
  if (exitCode !== 0) throw new Error(`${file} ${args.join(' ')}: ${[stderr, failure].join('')}`)
  return Buffer.from(stdout).toString().replace(/\n$/, '')
}

function basic(token: string): string {
  return `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}`
}

async function serve(
  root: string,
  request: IncomingMessage,
  give: (result: GitResponse) => void,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const { stdin, stdout, stderr, ended } = await streamProgram({
    file: 'git',
    args: ['http-backend'],
    isGroup: false,
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? '',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      ...IDENTITY,
    },
  })
  stderr.pipe(process.stderr, { end: false })
  // git ends before it has read the request where it refuses it; its response says so.
  stdin.on('error', () => undefined)
  request.pipe(stdin)
  const chunks: Buffer[] = []
  for await (const chunk of stdout) chunks.push(chunk as Buffer)
  await ended
  const result = Buffer.concat(chunks)
  const headEnd = result.indexOf('\r\n\r\n')
  const lines = result.subarray(0, headEnd).toString().split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s) as [string, string]))
  give({
    status: Number(headers['Status']?.slice(0, 3) ?? 200),
    headers,
    body: result.subarray(headEnd + 4),
  })
}
