// Which room may import which. The linter asks `refusal` about every import under src/ (room-imports.mjs).
import { posix } from 'node:path'

/**
 * The rooms in one folder: each with the others that it may import. `top` know every part and are imported by none of
 * them; what is in no line is there for all.
 * @typedef {{ folder: string, top: string[], mayImport: Record<string, string[]> }} Rooms
 */

/** @type {Rooms[]} */
const tables = [
  {
    folder: 'src',
    top: ['cli'],
    mayImport: {
      lib: [],
      protocol: [],
      'ci-config': ['protocol', 'lib'],
      git: ['lib'],
      archive: ['lib'],
      egress: ['lib'],
      masking: ['lib'],
      runner: ['protocol', 'git', 'archive', 'egress', 'masking', 'lib'],
      coordinator: ['protocol', 'ci-config', 'git', 'archive', 'egress', 'masking', 'lib'],
    },
  },
  {
    // Requests go down: resources → engine → queue → database; the rest are leaves.
    folder: 'src/coordinator',
    top: ['coordinator', 'wiring'],
    mayImport: {
      database: [],
      events: ['database'],
      standing: ['database'],
      storage: ['database'],
      repositories: ['database', 'http'],
      queue: ['database', 'events'],
      engine: ['database', 'events', 'queue', 'storage'],
      http: ['database'],
      oauth: ['database', 'http', 'standing'],
      resources: ['database', 'engine', 'events', 'http', 'queue', 'repositories', 'standing', 'storage'],
    },
  },
  {
    // Work goes poller → job → executor, the log executor → trace → client. The daemon is the runner on its machine.
    folder: 'src/runner',
    top: ['daemon'],
    mayImport: {
      client: [],
      trace: ['client'],
      workspace: ['trace'],
      executor: ['trace', 'workspace'],
      job: ['client', 'executor', 'trace', 'workspace'],
      poller: ['client', 'job'],
      runner: ['client', 'executor', 'job', 'poller', 'trace', 'workspace'],
    },
  },
]

/** No resource imports another: the project in the path is found once, before the handler. */
const STRANGERS = 'src/coordinator/resources'

/** What fulfils the executor's contract is no concern of the rooms that only need the contract. */
const FULFILMENT = 'src/runner/executor/docker'

/** Rooms that compute: no disk, network, database or process, so no package but these. @type {Record<string, string[]>} */
const pure = {
  'src/protocol': ['typebox'],
  'src/ci-config': ['typebox', 'yaml', 're2js'],
}

/**
 * Why `importer` may not import `specifier`; undefined when it may.
 * @param {string} importer a source file's path from the root of the repository
 * @param {string} specifier as the import statement has it
 * @returns {string | undefined}
 */
export function refusal(importer, specifier) {
  if (!specifier.startsWith('.')) return packageRefusal(importer, specifier)
  const imported = posix.join(posix.dirname(importer), specifier)
  // They hold nothing but the types of rows.
  if (/\/tables?\.js$/.test(imported)) return roomRefusal(importer, imported, tables.slice(0, 1))
  return (
    roomRefusal(importer, imported, tables) ??
    strangerRefusal(importer, imported) ??
    dockerRefusal(importer, imported)
  )
}

/**
 * @param {string} importer
 * @param {string} specifier
 */
function packageRefusal(importer, specifier) {
  const room = Object.keys(pure).find((folder) => importer.startsWith(`${folder}/`))
  const packages = room && pure[room]
  if (!packages || packages.some((name) => specifier === name || specifier.startsWith(`${name}/`)))
    return undefined
  return `${room} computes and does no I/O: of packages it may import ${packages.join(', ')}`
}

/**
 * @param {string} importer
 * @param {string} imported
 * @param {Rooms[]} candidates
 */
function roomRefusal(importer, imported, candidates) {
  for (const { folder, top, mayImport } of candidates) {
    const from = neighbourIn(folder, importer)
    const to = neighbourIn(folder, imported)
    if (!from || !to || from === to || top.includes(from)) continue
    if (top.includes(to)) return `${folder}/${to} knows every part, and no part knows it`
    const allowed = mayImport[from]
    if (!allowed || !mayImport[to] || allowed.includes(to)) continue
    return `${folder}/${from} may import ${allowed.join(', ') || 'no other room'}; not ${to}`
  }
  return undefined
}

/**
 * @param {string} importer
 * @param {string} imported
 */
function strangerRefusal(importer, imported) {
  const from = neighbourIn(STRANGERS, importer)
  const to = neighbourIn(STRANGERS, imported)
  return from && to && from !== to ? `the resources ${from} and ${to} may not know of each other` : undefined
}

/**
 * @param {string} importer
 * @param {string} imported
 */
function dockerRefusal(importer, imported) {
  const isRoom = /^src\/runner\/(?:client|trace|workspace|executor|job|poller)\b/.test(importer)
  const knows = !isRoom || importer.startsWith(`${FULFILMENT}/`)
  return imported.startsWith(`${FULFILMENT}/`) && !knows
    ? 'the executor is known by its contract alone'
    : undefined
}

/**
 * The folder or file of `folder` that `path` lies in, without extension.
 * @param {string} folder
 * @param {string} path
 */
function neighbourIn(folder, path) {
  if (!path.startsWith(`${folder}/`)) return undefined
  return path
    .slice(folder.length + 1)
    .split('/')[0]
    ?.replace(/\.[jt]s$/, '')
}
